import { PulledJob } from '@pennant/contract/admin-bot-worker.ts'
import { z } from 'zod'
import { MAX_INPUTS, MAX_LOG_LINES, MAX_LOG_VALUE_CHARS, MAX_TIMEOUT_MS } from './author/options.ts'

// The protocol between the worker and its child processes: one JSON object per line. Children read standard
// input, which stays open as long as the worker runs, and write to file descriptor 3. They run code of
// authors, so their messages are validated.

/** Compiled code and its source map are the longest messages. */
export const MAX_MESSAGE_LENGTH = 8 * 1024 * 1024
/** Of an operator log line. */
export const MAX_NOTE_CHARS = 2_048
export const REPORT_DESCRIPTOR = 3
/** Set in the environment of a child and of all processes it starts; the value is the visit's name. */
export const VISIT_VARIABLE = 'PENNANT_VISIT'

export const BrowserName = z.enum(['chrome', 'firefox'])
export type BrowserName = z.output<typeof BrowserName>

/** Executables and settings that apply to every visit. */
export const Surroundings = z.object({
  chromiumPath: z.string().nullable(),
  firefoxPath: z.string().nullable(),
  hasSandbox: z.boolean(),
  allowPrivate: z.array(z.string()),
})
export type Surroundings = z.output<typeof Surroundings>

export const CompileOrder = z.object({ surroundings: Surroundings, source: z.string() })
/** `egressPath` is the Unix socket through which an isolated visit connects. */
export const PrepareOrder = z.object({
  surroundings: Surroundings,
  isWarm: z.boolean(),
  egressPath: z.string().nullable(),
})
export const EgressOrder = z.object({ path: z.string() })
export const VisitJob = PulledJob.omit({ lease: true })
export const VisitOrder = z.object({ code: z.string(), job: VisitJob })
/** What the visit may reach in addition to public addresses. */
export const EgressRules = z.object({
  allowPrivate: z.array(z.string()),
  instances: VisitJob.shape.instancerInstances,
})
export type VisitOrder = z.output<typeof VisitOrder>

/**
 * The options of a challenge without its handler. They come from a process that runs an author's code, so
 * their bounds are checked again here: they determine how long the worker lets a visit run and with how much
 * memory.
 */
export const Plan = z.object({
  inputs: z
    .record(z.string(), z.object({ pattern: z.string(), flags: z.string().exactOptional() }))
    .refine((inputs) => Object.keys(inputs).length <= MAX_INPUTS),
  timeoutMilliseconds: z.int().min(1).max(MAX_TIMEOUT_MS),
  requireInstancerInstancesRunning: z.boolean(),
  maxLogLines: z.int().min(0).max(MAX_LOG_LINES),
  maxLogValueChars: z.int().min(1).max(MAX_LOG_VALUE_CHARS),
})
export type Plan = z.output<typeof Plan>

export const Level = z.enum(['info', 'warn', 'error', 'fatal'])

export const Report = z.discriminatedUnion('type', [
  z.object({ type: z.literal('compiled'), code: z.string(), plan: Plan }),
  z.object({ type: z.literal('refused'), detail: z.string() }),
  z.object({ type: z.literal('ready') }),
  /** The handler starts; its time limit counts from here. */
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
  /** `reason` is shown to the team; absent when the handler completed. */
  z.object({ type: z.literal('ended'), reason: z.string().optional() }),
])
export type Report = z.output<typeof Report>
export type LineReport = Extract<Report, { type: 'line' }>

type Texts = Pick<LineReport, 'line' | 'extra'>

/** Cuts each text of a line to `most` characters; a longer `extra` becomes the beginning of its JSON. */
export function cutLine({ line, extra }: Texts, most: number): Texts {
  const short = { line: line.slice(0, most) }
  if (extra === undefined) return short
  // Already cut: keep it as it is.
  if (typeof extra === 'string') return { ...short, extra: extra.slice(0, most) }
  try {
    const text = JSON.stringify(extra)
    return { ...short, extra: text.length <= most ? (JSON.parse(text) as unknown) : text.slice(0, most) }
  } catch {
    return { ...short, extra: String(extra).slice(0, most) }
  }
}
