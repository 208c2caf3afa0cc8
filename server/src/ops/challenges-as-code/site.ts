import { setTimeout as sleep } from 'node:timers/promises'
import {
  deleteChallenge,
  listAdminChallengesV2,
  readAdminChallengeV2,
  type AdminChallengeV2,
} from '@pennant/contract/admin-challenges.ts'
import { exportChallengeArchive, importChallengeArchive } from '@pennant/contract/challenge-archive.ts'
import { addressOf, createClient, type Client } from '@pennant/contract/client.ts'
import { type goodFlagTrials, MAX_FLAG_TRIALS, tryFlags } from '@pennant/contract/flag-trials.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { MAX_UPLOAD_QUERY, queryUploadsV2, uploadFilesV2 } from '@pennant/contract/uploads.ts'
import type { z } from 'zod'
import { StartError } from '../../lib/errors.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import type { ReadableChallenge } from '../../features/contest/challenges/readable.ts'
import type { AnyArchiveKind, ValueOf } from '../../features/contest/kinds/archive-kind.ts'

/** A server that accepts uploads takes minutes at most for the largest one on a slow line. */
const TIMEOUT_MS = 10 * 60_000
/** Rate limits of organisers refill within seconds; more waiting means that something else is wrong. */
const MAX_WAITS = 20
const MAX_WAIT_MS = 60_000
/** Requests at the same time, so that a plan of hundreds of challenges takes seconds. */
const MAX_READS = 8

export interface UploadQuery {
  readonly sha256: string
  readonly name: string
}

interface FlagTrial {
  readonly challengeId: string
  readonly flag: string
}

/** The site that challenges are compared with, over HTTP. */
export type Site = ReturnType<typeof createSite>

export interface SiteOptions {
  readonly url: string
  readonly token: string
}

/** The typed client of a site, which waits where the server asks for it. */
export function createCall(url: string, token?: string): Client {
  const baseUrl = url.replace(/\/+$/, '')
  const client = createClient({ baseUrl, fetch: (input, init) => patient(baseUrl, input, init) })
  return async (route, request) => {
    try {
      return await client(route, { token, ...request })
    } catch (error) {
      if (error instanceof StartError) throw error
      throw new StartError(`${baseUrl} did not return a response of Pennant: check the address.`)
    }
  }
}

export function createSite({ url, token }: SiteOptions) {
  const baseUrl = url.replace(/\/+$/, '')
  const call = createCall(url, token)
  const archive = (content: Blob, query: { readonly dryRun?: 'true'; readonly plan?: string }) => {
    const form = new FormData()
    form.set('archive', content, 'challenges.zip')
    return call(importChallengeArchive, { query, form })
  }
  return {
    baseUrl,

    ...readers(call),

    /** The URL of each file that is already stored. */
    async findUploads(uploads: readonly UploadQuery[]): Promise<Map<string, string>> {
      const found = new Map<string, string>()
      for (let at = 0; at < uploads.length; at += MAX_UPLOAD_QUERY) {
        const body = { uploads: uploads.slice(at, at + MAX_UPLOAD_QUERY) }
        const result = await call(queryUploadsV2, { body })
        if (result.kind !== 'goodUploadsQuery') throw refused(result)
        for (const item of result.data)
          if (item.url !== null) found.set(`${item.sha256}/${item.name}`, item.url)
      }
      return found
    },

    async upload(name: string, content: Blob): Promise<string> {
      const form = new FormData()
      form.append('files', content, name)
      const result = await call(uploadFilesV2, { form })
      if (result.kind !== 'goodFilesUpload') throw refused(result, `${name}: `)
      const [stored] = result.data
      if (!stored) throw new StartError(`${name}: the server did not store the file.`)
      return stored.url
    },

    /** One result for each trial, in order. Nothing is submitted. */
    async tryFlags(trials: readonly FlagTrial[]) {
      const results: z.output<typeof goodFlagTrials.data>['trials'] = []
      for (let at = 0; at < trials.length; at += MAX_FLAG_TRIALS) {
        const result = await call(tryFlags, {
          body: { data: { trials: trials.slice(at, at + MAX_FLAG_TRIALS) } },
        })
        if (result.kind !== 'goodFlagTrials') throw refused(result)
        results.push(...result.data.trials)
      }
      return results
    },

    planImport: (content: Blob) => archive(content, { dryRun: 'true' }),
    import: (content: Blob, plan: string) => archive(content, { plan }),

    async remove(id: string): Promise<void> {
      const result = await call(deleteChallenge, { params: { id } })
      if (result.kind !== 'goodChallengeDelete') throw refused(result, `${id}: `)
    },

    async openExport(): Promise<ReadableStream<Uint8Array>> {
      const address = baseUrl + addressOf(exportChallengeArchive, {})
      const response = await patient(baseUrl, address, { headers: { authorization: `Bearer ${token}` } })
      if (response.ok && response.body) return response.body
      const body: unknown = await response.json().catch(() => null)
      throw refused((body ?? { kind: `status ${response.status}`, message: '' }) as Refusal)
    },
  }
}

function readers(call: Client) {
  return {
    async challenges(): Promise<ReadableChallenge[]> {
      const result = await call(listAdminChallengesV2, {})
      if (result.kind !== 'goodAdminChallenges') throw refused(result)
      return result.data.map(rowOf)
    },

    /** A field of challenges of the site that is not part of the list. */
    fetchField(kind: AnyArchiveKind, ids: readonly string[]): Promise<ValueOf<unknown>> {
      const inTurn = createSemaphore({ slots: MAX_READS, maxQueue: ids.length })
      return kind.fetch({ call, refused, inTurn }, ids)
    },

    /** The end of the event in Unix milliseconds, and where pictures in texts may be. */
    async config(): Promise<{ readonly endTime: number; readonly pictureSources: readonly string[] }> {
      const result = await call(getClientConfigV2, {})
      if (result.kind !== 'goodClientConfig') throw refused(result)
      const { endTime, pictureSources = [] } = result.data
      return { endTime, pictureSources }
    },

    async solveCount(id: string): Promise<number> {
      const result = await call(readAdminChallengeV2, { params: { id } })
      if (result.kind !== 'goodAdminChallenge') throw refused(result)
      return result.data.solveCount
    },
  }
}

/** Waits where the server asks for it, and turns failures into sentences. */
async function patient(baseUrl: string, input: Parameters<typeof fetch>[0], init?: RequestInit) {
  for (let count = 0; ; count++) {
    const response = await fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      (error: unknown) => {
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
        throw new StartError(
          `${baseUrl} did not respond: ${cause instanceof Error ? cause.message : 'no reason'}`,
        )
      },
    )
    if (response.status !== 429 || count >= MAX_WAITS) return response
    const body: unknown = await response.json().catch(() => null)
    const { data } = (body ?? {}) as { readonly data?: { readonly timeLeft?: unknown } }
    const timeLeft = typeof data?.timeLeft === 'number' ? data.timeLeft : 1000
    if (timeLeft > MAX_WAIT_MS)
      throw new StartError('The server limits how often this token may ask. Retry later.')
    await sleep(timeLeft)
  }
}

interface Refusal {
  readonly kind: string
  readonly message: string
  readonly data?: unknown
}

const REASONS: Readonly<Record<string, string>> = {
  badToken: 'The token is not valid on this site.',
  badPerms: 'The token lacks a permission: challsRead is needed, and challsWrite to change anything.',
}

export function refused({ kind, message }: Refusal, prefix = ''): StartError {
  return new StartError(prefix + (REASONS[kind] ?? `The server refused: ${message} (${kind})`))
}

function rowOf(given: z.input<typeof AdminChallengeV2>): ReadableChallenge {
  const { points, releaseTime, scoring, waveId = null, prerequisites = [], ...optional } = given
  const { lockedShown = false, tiebreakChoice = null, ...rest } = optional
  return {
    ...rest,
    pointsMin: points.min,
    pointsMax: points.max,
    releaseAt: releaseTime,
    waveId,
    prerequisites,
    lockedShown,
    tiebreakChoice,
    scoringKind: scoring.kind,
    // Absent with `secretSet` if the token may not read it.
    scoringSecret:
      scoring.kind !== 'dynamic'
        ? null
        : scoring.source.secretSet
          ? undefined
          : (scoring.source.secret ?? null),
    version: 0,
  }
}
