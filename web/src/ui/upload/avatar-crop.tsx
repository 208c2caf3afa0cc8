import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { Button } from '../buttons/button.tsx'
import { useUiMessages } from '../ui-messages.ts'
import { firstCrop, MAX_ZOOM, movedCrop, zoomedCrop, type Crop } from './crop-maths.ts'
import styles from './upload.module.css'

/** Side of the uploaded image. */
const SIDE_PX = 512
const QUALITIES = [0.92, 0.8, 0.65, 0.5] as const
const SIDES = [SIDE_PX, 256, 128] as const

const STAGE_PX = 280
const PREVIEWS_PX = [28, 72] as const
/** Share of the crop square that one arrow key moves. */
const KEY_STEP = 0.05

interface AvatarCropProps {
  readonly image: ImageBitmap
  /** Bytes. */
  readonly maxSize: number
  readonly onDone: (avatar: Blob) => void
  /** The image cannot be encoded, or not within the size limit. */
  readonly onFailure: () => void
  readonly saveLabel: string
}

/** Crops a square from an image, by pointer or keyboard, and scales it for the upload. */
export function AvatarCrop({ image, maxSize, onDone, onFailure, saveLabel }: AvatarCropProps) {
  const messages = useUiMessages()
  const [crop, setCrop] = useState(() => firstCrop(image))
  const [busy, setBusy] = useState(false)
  const dragged = useRef<{ readonly x: number; readonly y: number }>(undefined)
  const move = (x: number, y: number) =>
    setCrop((now) => movedCrop(now, image, { x: x * now.side, y: y * now.side }))
  const drag = (event: PointerEvent) => {
    const from = dragged.current
    if (!from) return
    dragged.current = { x: event.clientX, y: event.clientY }
    move((from.x - event.clientX) / STAGE_PX, (from.y - event.clientY) / STAGE_PX)
  }
  const save = () => {
    setBusy(true)
    encodeAvatar(image, crop, maxSize)
      .then((avatar) => (avatar ? onDone(avatar) : onFailure()), onFailure)
      .finally(() => setBusy(false))
  }
  return (
    <div className={styles.crop}>
      <div
        role="group"
        aria-label={messages.cropArea}
        tabIndex={0}
        className={styles.stage}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          dragged.current = { x: event.clientX, y: event.clientY }
        }}
        onPointerMove={drag}
        onPointerUp={() => {
          dragged.current = undefined
        }}
        onPointerCancel={() => {
          dragged.current = undefined
        }}
        onKeyDown={(event) => {
          const step = STEPS[event.key]
          if (!step) return
          event.preventDefault()
          move(step[0], step[1])
        }}
      >
        <View image={image} crop={crop} side={STAGE_PX} />
      </div>
      <label className={styles.zoom}>
        {messages.zoom}
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.1}
          value={Math.min(image.width, image.height) / crop.side}
          onChange={({ currentTarget }) => setCrop(zoomedCrop(crop, image, Number(currentTarget.value)))}
        />
      </label>
      <div className={styles.previews}>
        {PREVIEWS_PX.map((side) => (
          <View key={side} image={image} crop={crop} side={side} />
        ))}
        <Button tone="primary" busy={busy} onClick={save}>
          {saveLabel}
        </Button>
      </div>
    </div>
  )
}

const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-KEY_STEP, 0],
  ArrowRight: [KEY_STEP, 0],
  ArrowUp: [0, -KEY_STEP],
  ArrowDown: [0, KEY_STEP],
}

function View({
  image,
  crop,
  side,
}: {
  readonly image: ImageBitmap
  readonly crop: Crop
  readonly side: number
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current) paintCrop(canvas.current, image, crop)
  }, [image, crop])
  return <canvas ref={canvas} width={side} height={side} aria-hidden="true" />
}

/** Draws the cropped part over the whole canvas. */
function paintCrop(canvas: HTMLCanvasElement, image: ImageBitmap, { x, y, side }: Crop): void {
  const context = canvas.getContext('2d')
  if (!context) return
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, x, y, side, side, 0, 0, canvas.width, canvas.height)
}

/** Encodes the crop at the best quality within `maxSize` bytes; null if even the smallest is too large. */
async function encodeAvatar(image: ImageBitmap, crop: Crop, maxSize: number): Promise<Blob | null> {
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
