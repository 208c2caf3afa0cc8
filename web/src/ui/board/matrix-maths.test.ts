import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellAt, cellsIn, columnLeft, moveCell, scrollTo, type Grid, type View } from './matrix-maths.ts'

const grid: Grid = { rows: 10_000, columns: 120, rowHeight: 44, columnWidth: 36 }
const view: View = { left: 720, top: 44_000, width: 900, height: 600 }

test('the visible cells are those that a point of the view can hit', () => {
  const seen = cellsIn(grid, view)
  expect(cellAt(grid, view, { x: 0, y: 0 })).toEqual({ row: seen.fromRow, column: seen.fromColumn })
  expect(cellAt(grid, view, { x: 899, y: 599 })).toEqual({ row: seen.toRow - 1, column: seen.toColumn - 1 })
})

test('a point outside the grid hits nothing', () => {
  const small = { ...grid, rows: 2, columns: 2 }
  expect(cellAt(small, { ...view, left: 0, top: 0 }, { x: 72, y: 10 })).toBeNull()
  expect(cellAt(small, { ...view, left: 0, top: 0 }, { x: 10, y: -1 })).toBeNull()
})

test('keys keep the cursor inside the grid, and scrolling makes its cell fully visible', () => {
  const keys = fc.constantFrom(
    'ArrowUp',
    'ArrowDown',
    'ArrowLeft',
    'ArrowRight',
    'PageUp',
    'PageDown',
    'Home',
    'End',
  )
  fc.assert(
    fc.property(fc.nat(9999), fc.nat(119), keys, (row, column, key) => {
      const cell = moveCell(grid, view, { from: { row, column }, key })
      if (!cell) throw new Error(`${key} does not move`)
      const seen = cellsIn(grid, { ...view, ...scrollTo(grid, view, cell) })
      expect(cell.row).toBeGreaterThanOrEqual(seen.fromRow)
      expect(cell.row).toBeLessThan(seen.toRow)
      expect(cell.column).toBeGreaterThanOrEqual(seen.fromColumn)
      expect(cell.column).toBeLessThan(seen.toColumn)
    }),
  )
  expect(moveCell(grid, view, { from: { row: 0, column: 0 }, key: 'a' })).toBeNull()
})

test('in right-to-left mode columns, hit testing and arrow keys are mirrored', () => {
  const mirrored = { ...view, left: 0, isRtl: true }
  const left = columnLeft(grid, mirrored, 0)
  expect(left).toBe(view.width - grid.columnWidth)
  expect(cellAt(grid, mirrored, { x: left + 1, y: 0 })?.column).toBe(0)
  expect(cellAt(grid, mirrored, { x: left - 1, y: 0 })?.column).toBe(1)
  expect(moveCell(grid, mirrored, { from: { row: 5, column: 5 }, key: 'ArrowLeft' })?.column).toBe(6)
})
