import type { Client } from '@pennant/contract/client.ts'
import type { z } from 'zod'

/** The site as one team sees it. Each call carries the team's token. */
export interface PlaySite {
  readonly call: Client
  /** Public URL of the site, without a trailing slash: addresses of files may be relative to it. */
  readonly origin: string
  /** Saves a file of a challenge and returns where; absent where there is no folder to save it in. */
  readonly saveFile?: (file: PlayFile) => Promise<string>
}

export interface PlayFile {
  readonly name: string
  /** Absolute. */
  readonly url: string
}

/** A part of a result. What a person wrote is kept apart from what the platform says: it can be hostile. */
export type Part = string | { readonly by: string; readonly text: string }

export interface Outcome {
  readonly parts: readonly Part[]
  /** The same for programs. */
  readonly data?: Readonly<Record<string, unknown>>
  /** The request was refused; `parts` says why and what to do. */
  readonly isRefused?: boolean
}

/** Something that a team does, in the same way for people at a terminal and for agents. */
export interface PlayTool<I extends z.ZodObject = z.ZodObject> {
  /** In snake case, as agents know tools. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: I
  /** It changes nothing. */
  readonly isRead: boolean
  readonly run: (site: PlaySite, input: z.output<I>) => Promise<Outcome>
}

/** Keeps the type of the input, and returns a tool for lists of any tools. */
export function tool<I extends z.ZodObject>(spec: PlayTool<I>): PlayTool {
  return spec as unknown as PlayTool
}
