/** A square of the picture, in its pixels. */
export interface Crop {
  readonly x: number
  readonly y: number
  readonly side: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export const MOST_ZOOM = 8

/** The largest square in the middle. */
export function firstCrop({ width, height }: Size): Crop {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, side }
}

/** Moved by pixels of the picture, within it. */
export function movedCrop(crop: Crop, size: Size, by: { readonly x: number; readonly y: number }): Crop {
  const within = (at: number, length: number) => Math.min(Math.max(at, 0), length - crop.side)
  return { ...crop, x: within(crop.x + by.x, size.width), y: within(crop.y + by.y, size.height) }
}

/** At a zoom of 1 to 8 around the same middle, within the picture. */
export function zoomedCrop(crop: Crop, size: Size, zoom: number): Crop {
  const side = Math.min(size.width, size.height) / Math.min(Math.max(zoom, 1), MOST_ZOOM)
  const shift = (crop.side - side) / 2
  return movedCrop({ x: crop.x + shift, y: crop.y + shift, side }, size, { x: 0, y: 0 })
}
