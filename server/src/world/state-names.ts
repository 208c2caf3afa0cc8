import type { WorldView } from './model.ts'

// A world that was built again may count from the start, so its numbers alone would not tell it from the old one.
const worldNumbers = new WeakMap<WorldView, number>()
let lastNumber = 0

/** Names the state of all that boards and lists show. Equal names promise equal answers within this process. */
export function boardState(world: WorldView): string {
  const { board, challenges } = world.versions
  return `${numberOf(world)}.${board}.${challenges}`
}

/** Names the state of the stored settings. */
export function settingsState(world: WorldView): string {
  return `${numberOf(world)}.${world.versions.settings}`
}

function numberOf(world: WorldView): number {
  let number = worldNumbers.get(world)
  if (number === undefined) worldNumbers.set(world, (number = ++lastNumber))
  return number
}
