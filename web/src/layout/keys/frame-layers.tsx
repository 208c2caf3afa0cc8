import { lazy, Suspense } from 'react'
import { useShortcuts } from '../../ui/keys/use-shortcuts.ts'
import { openFrameLayer, useFrameLayer } from './open-layer.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.tsx')).Shortcuts }))

/** The palette (Ctrl+K) and the shortcut help (?), on every page. Their code is loaded on first use. */
export function FrameLayers() {
  const layer = useFrameLayer()
  useShortcuts({
    'Ctrl+k': () => openFrameLayer('palette'),
    '?': () => openFrameLayer('shortcuts'),
  })
  return (
    <Suspense>
      {layer === 'palette' && <Palette onClose={close} />}
      {layer === 'shortcuts' && <Shortcuts onClose={close} />}
    </Suspense>
  )
}

function close(): void {
  openFrameLayer(null)
}
