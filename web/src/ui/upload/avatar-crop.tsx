import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { Button } from '../buttons/button.tsx'
import { useWords } from '../words.ts'
import { firstCrop, MOST_ZOOM, movedCrop, zoomedCrop, type Crop } from './crop-maths.ts'
import { encodeAvatar, paintCrop } from './encode-avatar.ts'
import styles from './upload.module.css'

const STAGE_PX = 280
const PREVIEWS_PX = [28, 72] as const
/** One arrow key moves so much of the square. */
const KEY_STEP = 0.05

interface AvatarCropProps {
  readonly image: ImageBitmap
  /** Bytes. */
  readonly maxSize: number
  readonly onDone: (avatar: Blob) => void
  /** It cannot be made small enough, or not be encoded. */
  readonly onFailure: () => void
  readonly saveLabel: string
}

/** Cuts a square out of a picture by pointer or keys, and scales it for the server. */
export function AvatarCrop({ image, maxSize, onDone, onFailure, saveLabel }: AvatarCropProps) {
  const words = useWords()
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
        aria-label={words.cropArea}
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
        {words.zoom}
        <input
          type="range"
          min={1}
          max={MOST_ZOOM}
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
