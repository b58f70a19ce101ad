#!/usr/bin/env python3
"""Reads meshes with VTK (Debian: python3-vtk9) and prints what it found, a line of JSON a file.

    python3 read-meshes.py FILE...
"""

import json
import pathlib
import sys

import vtk

READERS = {
    ".stl": vtk.vtkSTLReader,
    ".ply": vtk.vtkPLYReader,
    ".obj": vtk.vtkOBJReader,
    ".vtp": vtk.vtkXMLPolyDataReader,
    ".pvtp": vtk.vtkXMLPPolyDataReader,
    ".glb": vtk.vtkGLTFReader,
}


def read(path):
    reader = READERS[pathlib.Path(path).suffix]()
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutput()
    if not data.IsA("vtkMultiBlockDataSet"):
        return data
    append = vtk.vtkAppendPolyData()
    walk = data.NewIterator()
    walk.InitTraversal()
    while not walk.IsDoneWithTraversal():
        append.AddInputData(walk.GetCurrentDataObject())
        walk.GoToNextItem()
    append.Update()
    return append.GetOutput()


def tuples(array):
    return [list(array.GetTuple(i)) for i in range(array.GetNumberOfTuples())]


def corners(mesh, cell):
    ids = mesh.GetCell(cell).GetPointIds()
    return [ids.GetId(c) for c in range(ids.GetNumberOfIds())]


def describe(mesh):
    area = 0.0
    if mesh.GetNumberOfPolys() > 0:
        mass = vtk.vtkMassProperties()
        mass.SetInputData(mesh)
        area = mass.GetSurfaceArea()
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(mesh)
    edges.FeatureEdgesOff()
    edges.Update()
    data = mesh.GetPointData()
    arrays = [data.GetArray(i) for i in range(data.GetNumberOfArrays())]
    return {
        "points": tuples(mesh.GetPoints().GetData()) if mesh.GetNumberOfPoints() else [],
        "triangles": [corners(mesh, i) for i in range(mesh.GetNumberOfCells())],
        "bounds": mesh.GetBounds(),
        "area": area,
        "openEdges": edges.GetOutput().GetNumberOfCells(),
        "active": data.GetScalars().GetName() if data.GetScalars() else None,
        "arrays": {array.GetName(): tuples(array) for array in arrays},
    }


for path in sys.argv[1:]:
    print(json.dumps(describe(read(path))))
