import type { Crop } from './crop-maths.ts'

/** Side of what is sent. */
const SIDE_PX = 512
const QUALITIES = [0.92, 0.8, 0.65, 0.5] as const
const SIDES = [SIDE_PX, 256, 128] as const

/** The part of the picture over all of the canvas. */
export function paintCrop(canvas: HTMLCanvasElement, image: ImageBitmap, { x, y, side }: Crop): void {
  const context = canvas.getContext('2d')
  if (!context) return
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, x, y, side, side, 0, 0, canvas.width, canvas.height)
}

/** The best picture of the part that is at most `maxSize` bytes; null when even the smallest is larger. */
export async function encodeAvatar(image: ImageBitmap, crop: Crop, maxSize: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  for (const side of SIDES) {
    Object.assign(canvas, { width: side, height: side })
    paintCrop(canvas, image, crop)
    for (const quality of QUALITIES) {
      const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp', quality))
      if (blob && blob.size <= maxSize) return blob
    }
  }
  return null
}
