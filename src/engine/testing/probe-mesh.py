"""Compares a mesh's arrays with what VTK says: python3 probe-mesh.py GRID MESH prints one JSON object.

For each array of the mesh's points that the grid has, the greatest distance from vtkProbeFilter's value; and of how many
triangles the cell is not one that holds the triangle's middle.
"""

import json
import sys

import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy


def read(reader, path):
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


grid_path, mesh_path = sys.argv[1:]
kind = vtk.vtkXMLImageDataReader if grid_path.endswith(".vti") else vtk.vtkXMLRectilinearGridReader
grid = read(kind(), grid_path)
mesh = read(vtk.vtkXMLPolyDataReader(), mesh_path)
# Probed integers would be rounded.
for i in range(grid.GetPointData().GetNumberOfArrays()):
    array = grid.GetPointData().GetArray(i)
    doubles = numpy_to_vtk(vtk_to_numpy(array).astype(float), deep=True)
    doubles.SetName(array.GetName())
    grid.GetPointData().AddArray(doubles)

probe = vtk.vtkProbeFilter()
probe.SetInputData(mesh)
probe.SetSourceData(grid)
probe.Update()
probed = probe.GetOutput().GetPointData()
points = mesh.GetPointData()
differences = {}
for i in range(grid.GetPointData().GetNumberOfArrays()):
    name = grid.GetPointData().GetArrayName(i)
    due = vtk_to_numpy(probed.GetArray(name)).astype(float)
    got = vtk_to_numpy(points.GetArray(name)).astype(float)
    differences[name] = float(abs(due - got).max())

cells = mesh.GetCellData()
ids = vtk_to_numpy(cells.GetArray("vtkOriginalCellIds"))
coordinates = vtk_to_numpy(mesh.GetPoints().GetData()).astype(float)
corners = vtk_to_numpy(mesh.GetPolys().GetConnectivityArray()).reshape(-1, 3)
middles = coordinates[corners].mean(axis=1)
strangers = 0
for cell, middle in zip(ids, middles):
    x0, x1, y0, y1, z0, z1 = grid.GetCell(int(cell)).GetBounds()
    low, high = [x0, y0, z0], [x1, y1, z1]
    near = 1e-5 * (x1 - x0 + y1 - y0 + z1 - z0)
    if not all(l - near <= m <= h + near for l, m, h in zip(low, middle, high)):
        strangers += 1
wrong = {}
for i in range(grid.GetCellData().GetNumberOfArrays()):
    name = grid.GetCellData().GetArrayName(i)
    due = vtk_to_numpy(grid.GetCellData().GetArray(name))[ids]
    wrong[name] = int((due != vtk_to_numpy(cells.GetArray(name))).sum())

print(
    json.dumps(
        {
            "points": mesh.GetNumberOfPoints(),
            "triangles": mesh.GetNumberOfPolys(),
            "differences": differences,
            "strangers": strangers,
            "wrong": wrong,
        }
    )
)
