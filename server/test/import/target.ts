import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { byCommand } from '../../src/db/admin-actions.ts'
import { legacyScores } from '../../src/providers/scores/legacy.ts'
import { classicScores } from '../../src/providers/scores/classic.ts'
import { localUploads } from '../../src/providers/uploads/local.ts'
import type { Uploads } from '../../src/providers/uploads/uploads.ts'
import {
  importContest,
  type ImportOptions,
  type ImportResult,
  type ImportTarget,
} from '../../src/ops/import/run.ts'
import { findViolations } from '../../src/ops/verify/invariants.ts'
import { openTestDatabase } from '../database.ts'
import { noon } from '../harness.ts'
import { recordLog } from '../log.ts'

export const providers = { fetch: globalThis.fetch, log: recordLog().log, now: () => noon, dataDir: tmpdir() }

export interface Target extends AsyncDisposable {
  readonly client: Client
  readonly folder: string
  readonly url: string
  readonly uploads: Uploads
  /** Imports, accepting losses, and checks the invariants. */
  run(read: ImportOptions['read'], options?: Partial<ImportOptions & ImportTarget>): Promise<ImportResult>
  /** Runs a query and returns its rows. */
  rows<Row extends object>(text: string): Promise<Row[]>
}

/** An empty contest to import into. */
export async function openTarget(): Promise<Target> {
  const database = await openTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'pennant-import-'))
  const uploads = await localUploads.start({ uploadDirectory: 'uploads' }, { ...providers, dataDir: folder })
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const score = await classicScores.start({}, providers)
  return {
    client,
    folder,
    url: database.url,
    uploads,
    async run(read, options = {}) {
      const result = await importContest(
        {
          client,
          uploads,
          score,
          times: { startTime: noon - 3_600_000, endTime: noon + 47 * 3_600_000 },
          pictureSources: [],
          tokenKeyMark: null,
          now: () => noon,
          actor: byCommand,
          ...options,
        },
        {
          read,
          isPlan: false,
          acceptsLoss: true,
          issuesSecrets: false,
          storesPictures: false,
          onProgress: () => {},
          ...options,
        },
      )
      const violations = await findViolations(client)
      if (violations.length > 0) throw new Error(JSON.stringify(violations))
      return result
    },
    rows: async <Row extends object>(text: string) => (await client.query<Row>(text)).rows,
    async [Symbol.asyncDispose]() {
      await client.end()
      await database[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const legacyFormula = () => legacyScores.start({}, providers)

/** The codes of the findings, with their severity: `loss tokens`. */
export function codesOf({ findings }: Pick<ImportResult, 'findings'>): string[] {
  return findings.map(({ severity, code }) => `${severity} ${code}`)
}

/** As `codesOf`, only of losses. */
export function lossesOf(result: Pick<ImportResult, 'findings'>): string[] {
  return codesOf(result).filter((code) => code.startsWith('loss'))
}

/** The examples of a finding; undefined if it was not found. */
export function examplesOf({ findings }: Pick<ImportResult, 'findings'>, code: string) {
  return findings.find((finding) => finding.code === code)?.examples
}
