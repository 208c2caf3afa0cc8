/** A square of the image, in image pixels. */
export interface Crop {
  readonly x: number
  readonly y: number
  readonly side: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export const MAX_ZOOM = 8

/** The largest centred square. */
export function firstCrop({ width, height }: Size): Crop {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, side }
}

/** Moves the square by image pixels, within the image. */
export function movedCrop(crop: Crop, size: Size, by: { readonly x: number; readonly y: number }): Crop {
  const within = (at: number, length: number) => Math.min(Math.max(at, 0), length - crop.side)
  return { ...crop, x: within(crop.x + by.x, size.width), y: within(crop.y + by.y, size.height) }
}

/** Zooms (1 to 8) around the same centre, within the image. */
export function zoomedCrop(crop: Crop, size: Size, zoom: number): Crop {
  const side = Math.min(size.width, size.height) / Math.min(Math.max(zoom, 1), MAX_ZOOM)
  const shift = (crop.side - side) / 2
  return movedCrop({ x: crop.x + shift, y: crop.y + shift, side }, size, { x: 0, y: 0 })
}
