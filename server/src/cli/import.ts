import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { queriesOf } from '../db/database.ts'
import { byCommand } from '../db/admin-actions.ts'
import { pictureSources } from '../features/site/settings/rules.ts'
import { mappedDivisions } from '../ops/import/divisions.ts'
import { readRctfConfig, tokenKeyOf } from '../ops/import/rctf/config.ts'
import { openDump } from '../ops/import/rctf/dump.ts'
import { openLive } from '../ops/import/rctf/live.ts'
import { readRctf } from '../ops/import/rctf/read.ts'
import { checkTokens } from '../ops/import/rctf/tokens.ts'
import { hasLosses } from '../ops/import/report.ts'
import { importContest, type ImportOptions, type ImportResult } from '../ops/import/run.ts'
import { clientLines } from '../ops/import/secrets.ts'
import { StartError } from '../lib/errors.ts'
import { reasonOf } from '../lib/reason.ts'
import { credentialsProblem } from '../lib/service-url.ts'
import { requireUnused } from './restore.ts'
import { commandLog, openConnection, providerContext } from './connection.ts'
import { announceDatabase } from './existing-data.ts'
import { ExitStatus } from './exit-status.ts'
import { isConfigured, loadConfig } from './load-config.ts'
import { finishRestore, prepareFiles } from './pending-restore.ts'
import { complainOf, ownConfiguration } from './import-rctf-config.ts'
import type { ProcessContext } from './process-context.ts'
import { openPostgres, prepare } from './store.ts'
import { requireHttpUrl } from './values.ts'
import { markOf } from '../db/token-key.ts'

export interface ImportCommand {
  readonly plan?: boolean
  readonly acceptLoss?: boolean
  readonly tokens?: string
  readonly storePictures?: boolean
  readonly json?: boolean
}

export interface RctfCommand extends ImportCommand {
  readonly config?: string
  readonly files?: string
  readonly origin?: string
  readonly division: readonly string[]
  readonly knownToken?: string
  readonly writeConfig?: string
}

/** `pennant import rctf`: no server may use the database meanwhile. */
export async function importRctf(
  context: ProcessContext,
  source: string,
  command: RctfCommand,
): Promise<void> {
  const isLive = /^postgres(ql)?:\/\//.test(source)
  const problem = isLive ? credentialsProblem(source) : null
  if (problem !== null) throw new StartError(`The URL of the database ${problem}.`)
  const mapped = mappedDivisions(command.division)
  const rctfConfig = command.config === undefined ? null : await readRctfConfig(command.config, context.env)
  const sourceConfig = rctfConfig?.values ?? null
  const config = await loadConfig(context)
  const sourceKey = sourceConfig && tokenKeyOf(sourceConfig)
  const isKeyFixed = await isConfigured('tokenKey', context)
  const key = sourceKey && !isKeyFixed ? sourceKey : config.tokenKey
  const knownToken = command.knownToken === undefined ? null : (await readText(command.knownToken)).trim()
  const uploads = {
    folder: command.files === undefined ? null : resolve(command.files),
    origin: command.origin === undefined ? null : requireHttpUrl(command.origin),
    fetch: globalThis.fetch,
  }
  await using tables = await (isLive ? openLive(source) : openDump(source))
  const storesKey = sourceKey !== null && !isKeyFixed
  const result = await carryOut({ context, config, command, key, storesKey }, async (report) => {
    const contest = await readRctf({
      tables,
      config: rctfConfig,
      divisions: Object.keys(config.divisions),
      mapped,
      uploads,
      context: providerContext(config, context),
      report,
    })
    const { loginTimeout: loginTimeoutMs } = config
    checkTokens(contest, { report, key, sourceKey, knownToken, loginTimeoutMs })
    return contest
  })
  if (command.writeConfig !== undefined && rctfConfig) {
    const own = await ownConfiguration(rctfConfig, result.source === 'rCTF v1')
    complainOf(own, context)
    await writePrivate(command.writeConfig, own.text, context)
  }
  end(result, command)
}

async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => {
    throw new StartError(`${path} cannot be read.`)
  })
}

interface Run {
  readonly context: ProcessContext
  readonly config: Config
  readonly command: ImportCommand
  readonly key: Buffer
  /** Whether the key is new to the data folder. */
  readonly storesKey?: boolean
  /** Lines for the file of tokens. */
  readonly linksOf?: (result: ImportResult) => string
}

export async function carryOut(
  { context, config, command, key, storesKey = false, linksOf }: Run,
  read: ImportOptions['read'],
): Promise<ImportResult> {
  const log = commandLog(context)
  const provided = providerContext(config, context)
  const uploads = await config.uploadProvider.start(provided)
  const score = await config.scoreProvider.start(provided)
  await announceDatabase(config, context)
  await using postgres = await openPostgres(config, log)
  await prepare(config, postgres.address, log)
  await using connection = await openConnection(postgres.address, 'pennant import')
  await requireUnused(connection.client, config)
  const { startTime, endTime, dataDir } = config
  const db = queriesOf(connection.client)
  const brought = {
    snapshotAt: new Date(context.now()).toISOString(),
    tokenKey: key.toString('base64'),
    event: null,
  }
  const result = await importContest(
    {
      client: connection.client,
      ...(storesKey && { beforeCommit: () => prepareFiles(db, dataDir, brought) }),
      uploads,
      score,
      times: { startTime, endTime },
      pictureSources: [config.origin, ...pictureSources({}, uploads.origin)],
      tokenKeyMark: markOf(key),
      now: context.now,
      actor: byCommand,
    },
    {
      read,
      isPlan: command.plan ?? false,
      acceptsLoss: command.acceptLoss ?? false,
      issuesSecrets: command.tokens !== undefined,
      storesPictures: command.storePictures ?? false,
      onProgress: () => {},
    },
  )
  if (command.tokens !== undefined && result.outcome === 'imported')
    await writePrivate(command.tokens, clientLines(result.secrets) + (linksOf?.(result) ?? ''), context)
  print(result, { context, isJson: command.json ?? false })
  if (storesKey && result.outcome === 'imported') await storeKey()
  return result

  async function storeKey(): Promise<void> {
    try {
      await finishRestore(db, dataDir)
      if (!command.json)
        context.print('The token key of rCTF is in the data folder: the tokens of all teams stay valid.')
    } catch (cause) {
      // The import itself has succeeded.
      context.complain(
        `The token key could not be put into ${dataDir}: ${reasonOf(cause)}. The next start of the server does it.`,
      )
    }
  }
}

async function writePrivate(path: string, text: string, { complain }: ProcessContext): Promise<void> {
  try {
    await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true })
  } catch (cause) {
    // The import itself has succeeded.
    const reason = cause instanceof Error ? cause.message : 'it cannot be written'
    complain(`${path} was not written: ${reason}.`)
  }
}

const SEVERITIES = { problem: 'PROBLEM', loss: 'LOST   ', note: 'note   ' } as const

function print(
  result: ImportResult,
  { context, isJson }: { readonly context: ProcessContext; readonly isJson: boolean },
) {
  const { outcome, source, counts, findings } = result
  if (isJson) return context.print(JSON.stringify({ outcome, source, counts, findings }))
  context.print(`Source: ${source}.`)
  for (const [name, count] of Object.entries(counts ?? {}))
    if (count > 0) context.print(`${String(count).padStart(8)} ${labelOf(name)}`)
  for (const { severity, code, text, count, examples } of findings) {
    const times = count > 1 ? ` (${count})` : ''
    context.print(`${SEVERITIES[severity]} ${code}: ${text}${times}`)
    for (const example of examples) context.print(`          ${example}`)
  }
  context.print(OUTCOMES[outcome])
}

const OUTCOMES: Readonly<Record<ImportResult['outcome'], string>> = {
  planned: 'This is a plan. Nothing was changed.',
  imported: 'The contest was imported. Run `pennant verify` to check it again.',
  'has problems': 'The contest cannot be imported. Nothing was changed.',
  'loses something':
    'Something of the source would be lost. Accept it with --accept-loss. Nothing was changed.',
}

/** `pushedScores` as `pushed scores`. */
function labelOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

export function end({ outcome, findings }: ImportResult, { acceptLoss = false }: ImportCommand): void {
  if (outcome === 'has problems') throw new ExitStatus('failed')
  if (hasLosses(findings) && !acceptLoss) throw new ExitStatus('attention')
}
