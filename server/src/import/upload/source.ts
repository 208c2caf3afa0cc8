import type { importContest } from '@pennant/contract/contest-import.ts'
import type { QueryOf } from '@pennant/contract/route.ts'
import { readFile } from 'node:fs/promises'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import type { Log } from '../../lib/log.ts'
import type { ProviderContext } from '../../providers/provider.ts'
import { openCtfdArchive, type CtfdArchive } from '../ctfd/archive.ts'
import { readCtfd } from '../ctfd/read.ts'
import { mappedDivisions } from '../divisions.ts'
import { parseRctfConfig, tokenKeyOf } from '../rctf/config.ts'
import { openDump } from '../rctf/dump.ts'
import { readRctf } from '../rctf/read.ts'
import { checkTokens } from '../rctf/tokens.ts'
import type { Json } from '../json.ts'
import type { ImportOptions } from '../run.ts'
import type { Received } from './receive.ts'

interface SourceRequest {
  readonly received: Received
  readonly query: QueryOf<typeof importContest>
  readonly signal: AbortSignal
  readonly divisions: Readonly<Record<string, string>>
  readonly defaultDivision: string
  readonly tokenKey: Buffer
  readonly loginTimeoutMs: number
  readonly now: () => number
  readonly log: Log
  readonly fetch: ProviderContext['fetch']
  readonly dataDir: string
}

interface OpenSource extends AsyncDisposable {
  readonly read: ImportOptions['read']
}

/** Opens the received file. Throws a StartError if it cannot be one of its kind. */
export async function openSource(request: SourceRequest): Promise<OpenSource> {
  const mapped = mappedDivisions(
    (request.query.divisions ?? '').split(/\r?\n/).filter((line) => line.trim() !== ''),
  )
  return request.query.source === 'ctfd' ? openCtfd(request, mapped) : await openRctf(request, mapped)
}

type Mapped = ReadonlyMap<string, string>

function openCtfd(request: SourceRequest, mapped: Mapped): OpenSource {
  const { received, query, signal, divisions, defaultDivision } = request
  let archive: CtfdArchive | null = null
  return {
    async read(report) {
      archive = await openCtfdArchive(received.archive.path, report, signal)
      const { hidden = 'ban', awards = 'adjust', scoring = 'static', locked = 'hide', admins, end } = query
      const choices = { hidden, awards, scoring, locked, admins: admins === 'true' }
      const endAt = end === undefined ? null : parseTimestamp(end)
      const options = { ...choices, end: endAt, divisions, defaultDivision, mapped, issuesLinks: true }
      return await readCtfd({ archive, options, report })
    },
    [Symbol.asyncDispose]: async () => await archive?.[Symbol.asyncDispose](),
  }
}

async function openRctf(request: SourceRequest, mapped: Mapped): Promise<OpenSource> {
  const { received, signal, divisions, tokenKey, loginTimeoutMs, now, log, fetch, dataDir } = request
  const config = await configOf(received)
  const sourceKey = config && tokenKeyOf(config)
  const tables = await openDump(received.archive.path, signal)
  return {
    async read(report) {
      const contest = await readRctf({
        tables,
        config,
        divisions: Object.keys(divisions),
        mapped,
        uploads: { folder: null, origin: null, fetch },
        context: { fetch, log, now, dataDir },
        report,
      })
      const knownToken = received.token === '' ? null : received.token
      checkTokens(contest, { report, key: tokenKey, sourceKey, knownToken, loginTimeoutMs })
      return contest
    },
    [Symbol.asyncDispose]: () => tables[Symbol.asyncDispose](),
  }
}

async function configOf({ configuration }: Received): Promise<Json | null> {
  if (configuration.length === 0) return null
  return await parseRctfConfig(
    await Promise.all(
      configuration.map(async ({ name, path }) => ({ name, text: await readFile(path, 'utf8') })),
    ),
  )
}
