#!/usr/bin/env python3
"""Writes the fixtures that the readers' tests read, with VTK's own writers and, of NIfTI, NiBabel, of NumPy's arrays and of pictures, NumPy
and Pillow (Debian: python3-vtk9, python3-nibabel, python3-pil).

    python3 src/data/testing/make-fixtures.py

Values are the formulas below, which `expected.ts` repeats; i, j, k count from 0 in each array.
NRRD files are put together here, and read back with VTK's reader before they are kept.
"""

import gzip
import itertools
import pathlib
import struct

import nibabel
import numpy
import PIL.Image
import vtk

OUT = pathlib.Path(__file__).parent / "fixtures"
DIMS = (4, 3, 2)
AXES = ([0.0, 1.0, 2.5, 5.0], [-2.0, -1.0, 3.0], [10.0, 20.0])
FIRST = (2, 0, -1)


def indices(dims):
    for k, j, i in itertools.product(range(dims[2]), range(dims[1]), range(dims[0])):
        yield i, j, k


def array(kind, name, dims, values, components=1):
    result = kind()
    result.SetName(name)
    result.SetNumberOfComponents(components)
    for i, j, k in indices(dims):
        value = values(i, j, k)
        for component in value if components > 1 else [value]:
            result.InsertNextValue(component)
    return result


def add_fields(grid):
    cells = tuple(n - 1 for n in DIMS)
    point, cell = grid.GetPointData(), grid.GetCellData()
    point.SetScalars(array(vtk.vtkFloatArray, "pressure", DIMS, lambda i, j, k: 0.5 * i + 10 * j + 100 * k - 7))
    point.SetVectors(array(vtk.vtkDoubleArray, "X Velocity", DIMS, lambda i, j, k: (i, -j, k + 0.125 * i), 3))
    cell.SetScalars(array(vtk.vtkUnsignedCharArray, "material", cells, lambda i, j, k: i + 3 * j + 7 * k))
    cell.AddArray(array(vtk.vtkShortArray, "flux", cells, lambda i, j, k: (i - 300, j, 1000 * k), 3))
    return grid


def image(first=FIRST):
    grid = vtk.vtkImageData()
    grid.SetExtent(*itertools.chain.from_iterable((f, f + n - 1) for f, n in zip(first, DIMS)))
    grid.SetOrigin(-1, 2.5, 10)
    grid.SetSpacing(0.5, 0.25, 2)
    return add_fields(grid)


def rectilinear():
    grid = vtk.vtkRectilinearGrid()
    grid.SetDimensions(*DIMS)
    for axis, setter in zip(AXES, (grid.SetXCoordinates, grid.SetYCoordinates, grid.SetZCoordinates)):
        coordinates = vtk.vtkDoubleArray()
        for x in axis:
            coordinates.InsertNextValue(x)
        setter(coordinates)
    return add_fields(grid)


SIGNED = {
    "char": vtk.vtkCharArray,
    "signed char": vtk.vtkSignedCharArray,
    "short": vtk.vtkShortArray,
    "int": vtk.vtkIntArray,
    "long": vtk.vtkLongArray,
    "long long": vtk.vtkLongLongArray,
    "id": vtk.vtkIdTypeArray,
}
UNSIGNED = {
    "unsigned char": vtk.vtkUnsignedCharArray,
    "unsigned short": vtk.vtkUnsignedShortArray,
    "unsigned int": vtk.vtkUnsignedIntArray,
    "unsigned long": vtk.vtkUnsignedLongArray,
    "unsigned long long": vtk.vtkUnsignedLongLongArray,
}


def all_types(ids=True):
    """3 x 2 x 2 points with one array of each type; n is the point's number."""
    dims = (3, 2, 2)
    grid = vtk.vtkImageData()
    grid.SetDimensions(*dims)
    data = grid.GetPointData()
    number = lambda i, j, k: i + 3 * j + 6 * k
    for name, kind in SIGNED.items():
        if name == "id" and not ids:
            continue
        if name == "char":
            char = kind()
            char.SetName(name)
            char.SetNumberOfValues(12)
            for n in range(12):
                char.SetVariantValue(n, vtk.vtkVariant(7 * n - 20))
            data.AddArray(char)
            continue
        big = 2**60 if name == "long long" else 0
        data.AddArray(array(kind, name, dims, lambda i, j, k: 7 * number(i, j, k) - 20 + big))
    for name, kind in UNSIGNED.items():
        big = 2**63 if name == "unsigned long long" else 0
        data.AddArray(array(kind, name, dims, lambda i, j, k: 19 * number(i, j, k) + big))
    data.AddArray(array(vtk.vtkFloatArray, "float", dims, lambda i, j, k: 0.25 * number(i, j, k) - 1e-3))
    data.AddArray(array(vtk.vtkDoubleArray, "double", dims, lambda i, j, k: 1e100 * number(i, j, k) - 1 / 3))
    data.AddArray(array(vtk.vtkBitArray, "bit", dims, lambda i, j, k: int(number(i, j, k) % 3 == 0)))
    return grid


def with_extras():
    """An image with what a reader must pass over: names of components, text, a colour table, field data."""
    grid = image((0, 0, 0))
    point = grid.GetPointData()
    velocity = point.GetVectors()
    for c, name in enumerate(("east wind", "north wind", "up wind")):
        velocity.SetComponentName(c, name)
    table = vtk.vtkLookupTable()
    table.SetNumberOfTableValues(4)
    table.Build()
    point.GetScalars().SetLookupTable(table)
    labels = vtk.vtkStringArray()
    labels.SetName("labels")
    for n in range(24):
        labels.InsertNextValue("x" * (5 * n) + " end")
    point.AddArray(labels)
    time = vtk.vtkDoubleArray()
    time.SetName("TIME")
    time.InsertNextValue(0.5)
    grid.GetFieldData().AddArray(time)
    return grid


XML_WRITERS = {
    "vtkImageData": vtk.vtkXMLImageDataWriter,
    "vtkRectilinearGrid": vtk.vtkXMLRectilinearGridWriter,
    "vtkPolyData": vtk.vtkXMLPolyDataWriter,
}

LEGACY_WRITERS = {
    "vtkImageData": vtk.vtkStructuredPointsWriter,
    "vtkRectilinearGrid": vtk.vtkRectilinearGridWriter,
    "vtkPolyData": vtk.vtkPolyDataWriter,
}


def write_xml(grid, name, mode, compressor="none", header=32, big=False, pieces=1):
    writer = XML_WRITERS[grid.GetClassName()]()
    writer.SetInputData(grid)
    writer.SetFileName(str(OUT / name))
    if mode == "ascii":
        writer.SetDataModeToAscii()
    elif mode == "binary":
        writer.SetDataModeToBinary()
    else:
        writer.SetDataModeToAppended()
        writer.SetEncodeAppendedData(mode == "base64")
    if compressor == "none":
        writer.SetCompressorTypeToNone()
    else:
        {"zlib": writer.SetCompressorTypeToZLib, "lz4": writer.SetCompressorTypeToLZ4, "lzma": writer.SetCompressorTypeToLZMA}[compressor]()
        writer.SetBlockSize(64)
    (writer.SetHeaderTypeToUInt64 if header == 64 else writer.SetHeaderTypeToUInt32)()
    (writer.SetByteOrderToBigEndian if big else writer.SetByteOrderToLittleEndian)()
    writer.SetNumberOfPieces(pieces)
    assert writer.Write() == 1


def write_wavelet(name, pieces):
    """A source that makes each piece by itself, so that the file's pieces are parts of the whole."""
    source = vtk.vtkRTAnalyticSource()
    source.SetWholeExtent(-2, 4, -1, 2, 0, 3)
    points_to_cells = vtk.vtkPointDataToCellData()
    points_to_cells.SetInputConnection(source.GetOutputPort())
    points_to_cells.PassPointDataOn()
    writer = vtk.vtkXMLImageDataWriter()
    writer.SetInputConnection(points_to_cells.GetOutputPort())
    writer.SetFileName(str(OUT / name))
    writer.SetNumberOfPieces(pieces)
    assert writer.Write() == 1


def write_legacy(grid, name, binary, version=None, extent=False):
    writer = LEGACY_WRITERS[grid.GetClassName()]()
    writer.SetInputData(grid)
    writer.SetFileName(str(OUT / name))
    (writer.SetFileTypeToBinary if binary else writer.SetFileTypeToASCII)()
    if version:
        writer.SetFileVersion(version)
    if extent:
        writer.SetWriteExtent(True)
    assert writer.Write() == 1


def write_nrrd(name, fields, payload, data_name=None):
    """Writes a NRRD file, and checks that VTK reads the same numbers from it, where it can."""
    head = "NRRD0004\n" + "".join(f"{key}: {value}\n" for key, value in fields)
    if data_name:
        (OUT / name).write_bytes(head.encode())
        (OUT / data_name).write_bytes(payload)
    else:
        (OUT / name).write_bytes(head.encode() + b"\n" + payload)
    if ("encoding", "ascii") in fields:
        return
    # Debian's VTK would make a reader here that wants MPI.
    vtk.vtkObjectFactory.SetAllEnableFlags(False, "vtkNrrdReader")
    reader = vtk.vtkNrrdReader()
    reader.SetFileName(str(OUT / name))
    reader.Update()
    values = reader.GetOutput().GetPointData().GetArray(0)
    # VTK 9.1 takes the first axis for components in any case, and then may leave out a last axis of two:
    # only the order of the numbers can be compared.
    got = [values.GetValue(n) for n in range(values.GetNumberOfValues())]
    due = VECTORS if "vector" in name else PRESSURES
    assert len(got) >= 24 and got == due[: len(got)], (name, got)


def points(colors=False):
    """Seven points (n is the point's number), one face of four corners, two lines."""
    mesh = vtk.vtkPolyData()
    places = vtk.vtkPoints()
    for n in range(7):
        places.InsertNextPoint(0.5 * n, n * n / 8 - 1, -n)
    mesh.SetPoints(places)
    polys, lines = vtk.vtkCellArray(), vtk.vtkCellArray()
    for cells, ids in ((polys, (0, 1, 2, 3)), (lines, (3, 4)), (lines, (4, 5, 6))):
        cells.InsertNextCell(len(ids))
        for i in ids:
            cells.InsertCellPoint(i)
    mesh.SetPolys(polys)
    data = mesh.GetPointData()
    dims = (7, 1, 1)
    if colors:
        data.SetScalars(array(vtk.vtkUnsignedCharArray, "RGB", dims, lambda n, j, k: (n, 10 * n, 255 - n), 3))
        return mesh
    mesh.SetLines(lines)
    data.SetScalars(array(vtk.vtkDoubleArray, "mass", dims, lambda n, j, k: 1 / (n + 1)))
    data.AddArray(array(vtk.vtkShortArray, "kind", dims, lambda n, j, k: n % 3 - 1))
    data.SetVectors(array(vtk.vtkFloatArray, "velocity", dims, lambda n, j, k: (n, -2 * n, 0.25), 3))
    mesh.GetCellData().AddArray(array(vtk.vtkIntArray, "group", (3, 1, 1), lambda n, j, k: n))
    return mesh


def write_ply(name, binary, big=False):
    writer = vtk.vtkPLYWriter()
    writer.SetInputData(points(colors=True))
    writer.SetFileName(str(OUT / name))
    (writer.SetFileTypeToBinary if binary else writer.SetFileTypeToASCII)()
    (writer.SetDataByteOrderToBigEndian if big else writer.SetDataByteOrderToLittleEndian)()
    writer.SetArrayName("RGB")
    assert writer.Write() == 1


def write_meta(name, field, compressed=False, data_name=None):
    grid = image((0, 0, 0))
    grid.GetPointData().SetScalars(grid.GetPointData().GetArray(field))
    writer = vtk.vtkMetaImageWriter()
    writer.SetInputData(grid)
    writer.SetFileName(str(OUT / name))
    if data_name:
        writer.SetRAWFileName(str(OUT / data_name))
    writer.SetCompression(compressed)
    writer.Write()


def write_nifti(name, kind=nibabel.Nifti1Image, values=None, sform=True, scale=None, endian="<", turned=0.0):
    """The pressures with the geometry of `image((0, 0, 0))`; turned about z by degrees."""
    if values is None:
        values = numpy.array(PRESSURES, dtype="f4").reshape(DIMS, order="F")
    c, s = numpy.cos(numpy.radians(turned)), numpy.sin(numpy.radians(turned))
    affine = numpy.array([[c, -s, 0, -1], [s, c, 0, 2.5], [0, 0, 1, 10], [0, 0, 0, 1]]) @ numpy.diag([0.5, 0.25, 2, 1])
    header = kind.header_class(endianness=endian)
    header.set_data_dtype(numpy.dtype("i2") if scale else values.dtype)
    made = kind(values, affine, header)
    made.header.set_xyzt_units("mm")
    made.set_qform(affine, 1)
    made.set_sform(affine, 1 if sform else 0)
    if scale:
        made.header.set_slope_inter(*scale)
    nibabel.save(made, str(OUT / name))


def write_numpy():
    pressure = numpy.array(PRESSURES, dtype="f4").reshape(DIMS[::-1])
    velocity = numpy.array(VECTORS, dtype="f8").reshape((*DIMS[::-1], 3))
    x, y, z = (numpy.array(axis) for axis in AXES)
    numpy.save(OUT / "c-order.npy", pressure)
    numpy.save(OUT / "fortran-order.npy", numpy.asfortranarray(pressure.T))
    numpy.save(OUT / "vectors-be.npy", velocity.astype(">f8"))
    numpy.save(OUT / "vectors-first.npy", numpy.ascontiguousarray(numpy.moveaxis(velocity, 3, 0)))
    numpy.save(OUT / "halves.npy", numpy.array([0, -7.5, 2.0**-24, 65504, -numpy.inf, numpy.nan], dtype="f2"))
    numpy.save(OUT / "complex.npy", (pressure[0] + 1j).astype("c8"))
    numpy.save(OUT / "colors.npy", numpy.arange(90, dtype="u1").reshape(6, 5, 3))
    fields = {"pressure": pressure, "X Velocity": velocity, "title": numpy.array("a flow"), "times": numpy.arange(5)}
    numpy.savez(OUT / "rectilinear.npz", x=x, y=y, z=z, **fields)
    numpy.savez_compressed(OUT / "numbered.npz", **fields)


def write_pictures():
    """Pictures of 5 × 3 pixels, the top row first: a byte is 10 · row + column, a colour that with its channel times 50 added."""
    rows, columns = numpy.indices((3, 5))
    grey = (10 * rows + columns).astype("u1")
    colors = numpy.stack([grey + 50 * c for c in range(4)], axis=2)
    save = lambda values, name, **options: PIL.Image.fromarray(values).save(OUT / name, **options)
    save(grey, "grey.png")
    save(colors[:, :, :3], "colors.png")
    save(colors, "opacity.png")
    save(1000 * grey.astype("u2"), "wide.png")
    PIL.Image.fromarray(colors[:, :, :3]).quantize(15).save(OUT / "palette.png", bits=4)
    PIL.Image.fromarray(grey % 2 == 1).save(OUT / "bits.png")
    save(numpy.full((3, 5), 77, dtype="u1"), "grey.jpg")
    save(numpy.full((3, 5, 3), (200, 100, 50), dtype="u1"), "colors.jpg", quality=100, subsampling=0)
    save(colors[:, :, :3], "colors.tif", compression="tiff_lzw")
    save(0.25 * grey.astype("f4"), "floats.tif")
    pages = [PIL.Image.fromarray(grey + 100 * page) for page in (0, 1)]
    other = PIL.Image.fromarray(numpy.zeros((2, 2), dtype="u1"))
    pages[0].save(OUT / "stack.tif", save_all=True, append_images=[pages[1], other], compression="tiff_adobe_deflate")


PRESSURES = [0.5 * i + 10 * j + 100 * k - 7 for i, j, k in indices(DIMS)]
VECTORS = [c for i, j, k in indices(DIMS) for c in (i, -j, k + 0.125 * i)]


def main():
    OUT.mkdir(exist_ok=True)
    for old in set(OUT.iterdir()) - {OUT / "points.csv"}:
        old.unlink()
    write_xml(image(), "image-ascii.vti", "ascii")
    for mode, compressor, header, big in itertools.product(
        ("binary", "raw", "base64"), ("none", "zlib"), (32, 64), (False, True)
    ):
        order = "be" if big else "le"
        write_xml(image(), f"image-{mode}-{compressor}-{header}-{order}.vti", mode, compressor, header, big)
    write_xml(rectilinear(), "rectilinear-ascii.vtr", "ascii")
    for mode, compressor, header, big in (
        ("binary", "none", 32, True),
        ("binary", "zlib", 64, False),
        ("raw", "none", 64, False),
        ("raw", "zlib", 32, True),
        ("base64", "none", 64, True),
        ("base64", "zlib", 32, False),
    ):
        order = "be" if big else "le"
        write_xml(rectilinear(), f"rectilinear-{mode}-{compressor}-{header}-{order}.vtr", mode, compressor, header, big)
    write_wavelet("wavelet.vti", 1)
    write_wavelet("wavelet-pieces.vti", 3)
    write_xml(image(), "repeated-pieces.vti", "raw", pieces=2)
    write_xml(image(), "lz4.vti", "raw", "lz4")
    write_xml(image(), "lzma.vti", "binary", "lzma")
    write_xml(with_extras(), "extras-ascii.vti", "ascii")
    write_xml(with_extras(), "extras-raw.vti", "raw")
    write_xml(all_types(), "types-ascii.vti", "ascii")
    write_xml(all_types(), "types-binary.vti", "binary")
    for binary, suffix in ((False, "ascii"), (True, "binary")):
        write_legacy(image((0, 0, 0)), f"image-{suffix}.vtk", binary)
        write_legacy(image(), f"extent-{suffix}.vtk", binary, extent=True)
        write_legacy(rectilinear(), f"rectilinear-{suffix}.vtk", binary)
        write_legacy(rectilinear(), f"rectilinear-{suffix}-v42.vtk", binary, 42)
        write_legacy(all_types(), f"types-{suffix}.vtk", binary)
        write_legacy(with_extras(), f"extras-{suffix}.vtk", binary)
    sizes = [("type", "float"), ("dimension", 3), ("sizes", "4 3 2"), ("spacings", "0.5 0.25 2")]
    little = struct.pack("<24f", *PRESSURES)
    big = struct.pack(">24f", *PRESSURES)
    text = " ".join(map(str, PRESSURES)).encode() + b"\n"
    write_nrrd("raw-le.nrrd", [*sizes, ("encoding", "raw"), ("endian", "little")], little)
    write_nrrd("raw-be.nrrd", [*sizes, ("encoding", "raw"), ("endian", "big")], big)
    write_nrrd("gzip.nrrd", [*sizes, ("encoding", "gzip"), ("endian", "little")], gzip.compress(little, mtime=0))
    write_nrrd("ascii.nrrd", [*sizes, ("encoding", "ascii")], text)
    vectors = [
        ("type", "double"),
        ("dimension", 4),
        ("space", "right-anterior-superior"),
        ("sizes", "3 4 3 2"),
        ("kinds", "vector domain domain domain"),
        ("space directions", "none (0.5,0,0) (0,0.25,0) (0,0,2)"),
        ("space origin", "(-1,2.5,10)"),
        ("encoding", "raw"),
        ("endian", "little"),
    ]
    write_nrrd("vector.nrrd", vectors, struct.pack("<72d", *VECTORS))
    detached = [*sizes, ("encoding", "raw"), ("endian", "little"), ("data file", "detached.bin")]
    write_nrrd("detached.nhdr", detached, little, "detached.bin")
    write_meta("raw.mha", "pressure")
    write_meta("zlib.mha", "pressure", compressed=True)
    write_meta("vector.mha", "X Velocity")
    write_meta("detached.mhd", "pressure", data_name="detached-meta.bin")
    write_nifti("float.nii")
    write_nifti("two-be.nii", nibabel.Nifti2Image, endian=">", sform=False)
    stored = (numpy.array(PRESSURES) + 7) / 0.5
    write_nifti("scaled.nii", values=stored.astype("i2").reshape(DIMS, order="F"), scale=(0.5, -7))
    write_nifti("pair.hdr", nibabel.Nifti1Pair)
    write_nifti("turned.nii", sform=False, turned=30)
    vectors = numpy.array(VECTORS, dtype="f8").reshape((3, *DIMS), order="F")
    write_nifti("vector.nii", values=numpy.moveaxis(vectors, 0, 3)[:, :, :, None, :])
    write_nifti("steps.nii", values=numpy.arange(72, dtype="u1").reshape((*DIMS, 3), order="F"))
    write_numpy()
    write_pictures()
    write_ply("points-ascii.ply", False)
    write_ply("points-le.ply", True)
    write_ply("points-be.ply", True, big=True)
    write_xml(points(), "points-ascii.vtp", "ascii")
    write_xml(points(), "points-binary-zlib.vtp", "binary", "zlib", 64)
    write_xml(points(), "points-raw-be.vtp", "raw", "none", 32, True)
    write_legacy(points(), "points-ascii.vtk", False)
    write_legacy(points(), "points-binary.vtk", True)
    write_legacy(points(), "points-binary-v42.vtk", True, 42)


main()
