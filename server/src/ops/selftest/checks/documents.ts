import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { importChallengeArchive } from '@pennant/contract/challenge-archive.ts'
import type { Check, Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'

/** Below the limit of an archive's documents, so that each is parsed or refused by itself. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  brackets: ']'.repeat(59_000),
  'more brackets': ']'.repeat(120_000),
  commas: `[${','.repeat(100_000)}`,
  'wrong escapes': `"${String.raw`\q`.repeat(29_000)}"`,
  anchors: '&a '.repeat(40_000),
}

export const documentChecks: readonly Check[] = [
  {
    name: 'documents',
    category: 'S11',
    about: 'An uploaded archive of hostile documents is refused within seconds, and delays no one.',
    advice: 'Report it as a vulnerability. Import no archives of strangers until it is fixed.',
    async run(fixture, report) {
      for (const [what, text] of Object.entries(DOCUMENTS)) {
        const names = ['a', 'b', 'c'].map((id) => `web/${id}/challenge.yaml`)
        await plan(fixture, report, {
          what: `documents of ${what}`,
          files: names.map((name) => [name, text]),
        })
      }
      const deep = `web/a/files/${'x/'.repeat(100)}y`
      const files = [['web/a/challenge.yaml', 'name: a'] as const, [deep, ''] as const]
      await plan(fixture, report, { what: 'a path of 100 folders', files })
    },
  },
]

interface Archive {
  readonly what: string
  readonly files: readonly (readonly [name: string, content: string])[]
}

/** Uploads an archive to be planned only, while another client reads. */
async function plan({ wire, admin }: Fixture, report: Report, { what, files }: Archive): Promise<void> {
  const zip = new ZipFile()
  for (const [name, content] of files) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  const form = new FormData()
  form.append('archive', new Blob([await buffer(zip.outputStream as Readable)]), 'hostile.zip')
  const path = `${importChallengeArchive.path}?dryRun=true`
  const planned = wire
    .send({ method: 'POST', path, token: admin.team.token, form })
    .catch((error: Error) => error)
  const read = await wire.send({ path: getClientConfigV2.path }).catch((error: Error) => error)
  const outcome = await planned
  const finding = (found: string) => report.finding({ method: 'POST', path }, 'admin', found)
  if (read instanceof Error || read.status !== 200) finding(`another request failed while ${what} were read`)
  if (outcome instanceof Error) return finding(`${what}: ${outcome.message}`)
  const { problems = [] } = (outcome.data ?? {}) as { problems?: readonly { path: string }[] }
  const isRefused = outcome.kind === 'goodChallengeArchivePlan' && problems.every(({ path: at }) => at !== '')
  if (!isRefused || problems.length === 0)
    finding(`${what}: the response was ${outcome.kind} without its problems`)
}
