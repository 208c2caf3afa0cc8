/** What a field shows while what it says comes back from elsewhere, such as the address, later. */
export interface Typed {
  readonly text: string
  /** Told, and not come back yet; the oldest first. */
  readonly told: readonly string[]
}

const MOST_TOLD = 100

export function afterTyping({ told }: Typed, text: string): Typed {
  return { text, told: [...told, text].slice(-MOST_TOLD) }
}

/** A value came: an echo of what was typed changes nothing, anything else is shown. */
export function afterValue({ text, told }: Typed, value: string): Typed {
  const at = told.indexOf(value)
  if (at >= 0) return { text, told: told.slice(at + 1) }
  return { text: value, told: [] }
}
