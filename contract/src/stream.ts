import { z } from 'zod'
import { UnixMs } from './fields.ts'
import { Announcement } from './announcements.ts'
import { EventTimes } from './client-config.ts'
import { SECOND_MS } from './durations.ts'
import { LATEST_SOLVES, LatestSolve } from './leaderboard.ts'
import { PageLink } from './pages.ts'
import { badRateLimit, errorUnavailable } from './replies.ts'
import { reply, route } from './route.ts'
import { NextWave } from './waves.ts'

// The live stream, as server-sent events: docs/reference/stream.md

export const STREAM_TYPE = 'text/event-stream'

/** Every connection gets a position this often. Shorter than the timeouts of proxies. */
export const HEARTBEAT_MS = 20 * SECOND_MS

/** How many of the first ranks `leaderboard` covers: the first page of the scoreboard. */
export const STREAM_ROWS = 100

/** How many of the newest solves are always sent: as many as the list of the latest ones has. */
export const STREAM_SOLVES = LATEST_SOLVES

const Phase = EventTimes.extend({ phase: z.enum(['before', 'running', 'ended']) })

const ChallengeSummary = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  points: z.int(),
  solves: z.int(),
})

const StreamedRow = z.object({
  id: z.string(),
  name: z.string(),
  score: z.int(),
  division: z.string(),
  divisionPlace: z.int(),
  globalPlace: z.int(),
})

/** The data of each kind of event. Server: `server/src/features/live/stream/kinds.ts` says who may see it. */
export const streamEvents = {
  /** The first event of every connection. `now` is the server's clock in Unix milliseconds. */
  hello: Phase.extend({ now: UnixMs }),
  /** The position is unknown here or too old: read everything again, and continue from this event's id. */
  resync: z.object({}),
  /** Only moves the position. Sent whether or not anything happened. */
  position: z.object({}),
  /**
   * New solves of public challenges by teams that are not banned, and those that an organiser removed. `omitted` solves of other
   * teams without a blood are left out, because more than `STREAM_SOLVES` newer ones came at the same time.
   */
  solves: z.object({
    solves: z.array(LatestSolve),
    removed: z.array(z.object({ challengeId: z.string(), userId: z.string() })),
    omitted: z.int().optional(),
  }),
  /** `withdrawn` has the ids of challenges that were public and are now hidden or deleted. */
  challenges: z.object({
    released: z.array(ChallengeSummary),
    changed: z.array(ChallengeSummary),
    withdrawn: z.array(z.string()),
  }),
  /** How many hints of these public challenges are released now. One was released, edited or withdrawn, or the own team bought it. */
  hint: z.object({ challenges: z.array(z.object({ id: z.string(), hints: z.int() })) }),
  /** The next wave has changed; the same as `GET /api/v2/waves/next` returns. */
  wave: z.object({ next: NextWave.nullable() }),
  /** The event was moved, or it started or ended. */
  phase: Phase,
  /** Rows among the first `STREAM_ROWS` ranks that changed, or may have since the position. Later ranks may have changed too. */
  leaderboard: z.object({ total: z.int(), rows: z.array(StreamedRow).max(STREAM_ROWS) }),
  /** Public challenges whose value or number of solves changed. */
  points: z.object({ challenges: z.array(ChallengeSummary.pick({ id: true, points: true, solves: true })) }),
  /** The receiver's own team: score, ranks and ban. */
  team: z.object({
    score: z.int(),
    globalPlace: z.int().nullable(),
    divisionPlace: z.int().nullable(),
    banned: z.boolean(),
  }),
  /**
   * Published or edited announcements that the receiver may see, as `GET /api/v2/announcements` returns them, and the ids of those
   * that it no longer may.
   */
  announcements: z.object({ published: z.array(Announcement), withdrawn: z.array(z.string()) }),
  /** A published page was edited, moved, published or withdrawn: the links to all pages, as in the client configuration. */
  pages: z.object({ pages: z.array(PageLink) }),
  /**
   * `threadIds`: the own team's threads with the organisers that have a new message or were closed, reopened or read. `queue`: the
   * receiver may answer, and the queue has changed.
   */
  message: z.object({ threadIds: z.array(z.string()), queue: z.boolean() }),
  /** The state of the own team's instances of these challenges has changed. */
  instance: z.object({ challengeIds: z.array(z.string()) }),
  /** The same for its jobs of the admin bot. */
  adminBot: z.object({ challengeIds: z.array(z.string()) }),
} as const satisfies Readonly<Record<string, z.ZodType>>

export type StreamEventName = keyof typeof streamEvents
export type StreamEventData<N extends StreamEventName> = z.input<(typeof streamEvents)[N]>

export const goodStream = reply(
  200,
  'goodStream',
  'Events in the format text/event-stream. The data of each event is a JSON object: docs/reference/stream.md',
  z.string(),
)

/**
 * Streams if the request accepts `text/event-stream`. Otherwise the response ends after the events since `Last-Event-ID`,
 * so that any HTTP client can read it.
 */
export const openStream = route({
  method: 'GET',
  path: '/api/v2/stream',
  summary: 'Live events: solves, standings, challenges, start and end, and those of the own team.',
  auth: 'optional',
  shows: [],
  limitedTo: ['challenges', 'scoreboard'],
  scope: 'read',
  text: { type: STREAM_TYPE, maxAgeS: 0 },
  // Events of the own team are for this caller only.
  secret: true,
  limits: ['publicReads'],
  replies: [goodStream, badRateLimit, errorUnavailable],
})

export const streamRouteList = [openStream] as const
