import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstCrop, movedCrop, zoomedCrop } from './crop-maths.ts'

test('the square stays inside the picture when it is moved and zoomed', () => {
  const step = fc.record({
    x: fc.integer(),
    y: fc.integer(),
    zoom: fc.double({ min: 0, max: 20, noNaN: true }),
  })
  const size = fc.record({
    width: fc.integer({ min: 1, max: 5000 }),
    height: fc.integer({ min: 1, max: 5000 }),
  })
  fc.assert(
    fc.property(size, fc.array(step), (picture, steps) => {
      const end = steps.reduce(
        (crop, by) => zoomedCrop(movedCrop(crop, picture, by), picture, by.zoom),
        firstCrop(picture),
      )
      expect(Math.min(end.x, end.y)).toBeGreaterThanOrEqual(0)
      expect(end.x + end.side).toBeLessThanOrEqual(picture.width + 1e-6)
      expect(end.y + end.side).toBeLessThanOrEqual(picture.height + 1e-6)
    }),
  )
})
