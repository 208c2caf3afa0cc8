import { createStore, useStore } from '../../state/store.ts'

type Layer = 'palette' | 'shortcuts' | null

const layer = createStore<Layer>(null)

/** Which of the frame's own dialogs is open. */
export function useFrameLayer(): Layer {
  return useStore(layer)
}

export const openFrameLayer = layer.set
