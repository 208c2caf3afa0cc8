/** State of an input whose value is stored elsewhere, for example in the URL, and comes back with a delay. */
export interface Typed {
  readonly text: string
  /** Reported values that have not come back yet, oldest first. */
  readonly told: readonly string[]
}

const MOST_TOLD = 100

export function afterTyping({ told }: Typed, text: string): Typed {
  return { text, told: [...told, text].slice(-MOST_TOLD) }
}

/** Applies an incoming value: an echo of typed text is ignored, anything else replaces the text. */
export function afterValue({ text, told }: Typed, value: string): Typed {
  const at = told.indexOf(value)
  if (at >= 0) return { text, told: told.slice(at + 1) }
  return { text: value, told: [] }
}
