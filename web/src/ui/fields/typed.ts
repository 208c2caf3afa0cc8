/** State of an input whose value is stored elsewhere, for example in the URL, and arrives with a delay. */
export interface Typed {
  readonly text: string
  /** Values passed to `onChange` that have not arrived as the new value yet, oldest first. */
  readonly pending: readonly string[]
}

const MAX_PENDING = 100

export function afterTyping({ pending }: Typed, text: string): Typed {
  return { text, pending: [...pending, text].slice(-MAX_PENDING) }
}

/** Applies an incoming value: an echo of typed text is ignored, anything else replaces the text. */
export function afterValue({ text, pending }: Typed, value: string): Typed {
  const at = pending.indexOf(value)
  if (at >= 0) return { text, pending: pending.slice(at + 1) }
  return { text: value, pending: [] }
}
