import { PulledJob } from '@pennant/contract/admin-bot-worker.ts'
import { z } from 'zod'

// What the worker and its child processes tell each other: a line of JSON each. Children read theirs from standard
// input, which stays open as long as the worker lives, and write to descriptor 3. They run code of authors, so what
// they say is checked.

/** Compiled code and its source map are the longest. */
export const maxMessageLength = 8 * 1024 * 1024
export const reportDescriptor = 3
/** In the environment of a child and of all that it starts, with the visit's name as value. */
export const visitVariable = 'PENNANT_VISIT'

export const BrowserName = z.enum(['chrome', 'firefox'])
export type BrowserName = z.output<typeof BrowserName>

/** Which programs there are, and what every visit obeys. */
export const Surroundings = z.object({
  chromiumPath: z.string().nullable(),
  firefoxPath: z.string().nullable(),
  hasSandbox: z.boolean(),
  allowPrivate: z.array(z.string()),
})
export type Surroundings = z.output<typeof Surroundings>

export const CompileOrder = z.object({ surroundings: Surroundings, source: z.string() })
export const PrepareOrder = z.object({ surroundings: Surroundings, isWarm: z.boolean() })
export const VisitJob = PulledJob.omit({ lease: true })
export const VisitOrder = z.object({ code: z.string(), job: VisitJob })
export type VisitOrder = z.output<typeof VisitOrder>

/** What a challenge says of itself, beside its handler. */
export const Plan = z.object({
  inputs: z.record(z.string(), z.object({ pattern: z.string(), flags: z.string().exactOptional() })),
  timeoutMilliseconds: z.int().min(1),
  requireInstancerInstancesRunning: z.boolean(),
  maxLogLines: z.int().min(0),
  maxLogValueChars: z.int().min(1),
})
export type Plan = z.output<typeof Plan>

export const Level = z.enum(['info', 'warn', 'error', 'fatal'])

export const Report = z.discriminatedUnion('type', [
  z.object({ type: z.literal('compiled'), code: z.string(), plan: Plan }),
  z.object({ type: z.literal('refused'), detail: z.string() }),
  z.object({ type: z.literal('ready') }),
  /** The handler begins: from now on its limit counts. */
  z.object({ type: z.literal('started') }),
  z.object({
    type: z.literal('line'),
    level: Level,
    prefix: z.string(),
    line: z.string(),
    extra: z.unknown().optional(),
  }),
  z.object({
    type: z.literal('note'),
    level: z.enum(['info', 'warn', 'error']),
    line: z.string(),
    extra: z.unknown().optional(),
  }),
  /** `reason` is for the team; absent when the handler came to its end. */
  z.object({ type: z.literal('ended'), reason: z.string().optional() }),
])
export type Report = z.output<typeof Report>
export type LineReport = Extract<Report, { type: 'line' }>
