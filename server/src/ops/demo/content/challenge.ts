// What every example challenge has. All flags can be found from the files and texts.

export interface DemoFile {
  readonly name: string
  readonly bytes: Buffer
}

export interface DemoChallenge {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly author: string
  readonly description: string
  readonly flag: string
  readonly points: { readonly min: number; readonly max: number }
  /** Difficulty for the simulated teams: nearly all solve 1, almost none solves 10. */
  readonly difficulty: number
  readonly files: readonly DemoFile[]
  readonly tags?: readonly string[]
  /** Hours from the start of the event to the release; by default the challenge is open from the start. */
  readonly opensAfterHours?: number
}

export const decay = { min: 100, max: 500 }

export function text(name: string, content: string): DemoFile {
  return { name, bytes: Buffer.from(content) }
}

export function xor(message: string, key: string): Buffer {
  return Buffer.from(Buffer.from(message).map((byte, at) => byte ^ key.charCodeAt(at % key.length)))
}
