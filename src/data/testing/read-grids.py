#!/usr/bin/env python3
"""Reads grids with VTK (Debian: python3-vtk9) and prints what it found, a line of JSON a file.

    python3 read-grids.py FILE...
"""

import json
import pathlib
import sys

import vtk

READERS = {
    ".vti": vtk.vtkXMLImageDataReader,
    ".vtr": vtk.vtkXMLRectilinearGridReader,
    ".pvti": vtk.vtkXMLPImageDataReader,
    ".pvtr": vtk.vtkXMLPRectilinearGridReader,
}


def tuples(array):
    return [list(array.GetTuple(i)) for i in range(array.GetNumberOfTuples())]


def arrays(data):
    every = [data.GetArray(i) for i in range(data.GetNumberOfArrays())]
    return {array.GetName(): tuples(array) for array in every}


def describe(path):
    reader = READERS[pathlib.Path(path).suffix]()
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutput()
    points = data.GetPointData()
    return {
        "extent": data.GetExtent(),
        "nodes": [data.GetPoint(i) for i in range(data.GetNumberOfPoints())],
        "active": points.GetScalars().GetName() if points.GetScalars() else None,
        "ofNodes": arrays(points),
        "ofCells": arrays(data.GetCellData()),
    }


for path in sys.argv[1:]:
    print(json.dumps(describe(path)))
