import { challengeLimits } from '@pennant/contract/admin-challenges.ts'
import { countHosts, picturesElsewhere, replacePictures } from '@pennant/contract/text-pictures.ts'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { tooLongReason } from '../../features/organisers/archives/pictures.ts'
import { fetchPictures, leftTexts } from '../../features/site/uploads/fetch-pictures.ts'
import type { Staging } from '../../features/site/uploads/staging.ts'
import type { ImportedContest, ImportedFile, ImportedTable } from './contest.ts'
import { markerOf } from './links.ts'
import type { Report } from './report.ts'

type Texts = Pick<ImportedContest, 'challenges' | 'tables' | 'settings'>

/** All Markdown of a contest, with its challenge or where else it is. */
function textsIn({ challenges, tables, settings }: Texts) {
  return [
    ...challenges.map(({ name, description: text }) => ({ where: name, text })),
    ...tables.flatMap(contentsOf),
    { where: 'home page', text: settings.homeContent ?? '' },
  ]
}

function contentsOf({ rows }: ImportedTable) {
  return rows.flatMap(({ columns, content }) =>
    content ? [{ ...content, text: String(columns['content']) }] : [],
  )
}

/** The tables with another Markdown. */
export function withContents(
  tables: readonly ImportedTable[],
  change: (text: string) => string,
): ImportedTable[] {
  return tables.map((table) => ({
    ...table,
    rows: table.rows.map(({ columns, content }) =>
      content
        ? { columns: { ...columns, content: change(String(columns['content'])) }, content }
        : { columns },
    ),
  }))
}

function withTexts<Contest extends Texts>(contest: Contest, change: (text: string) => string): Contest {
  const { challenges, tables, settings } = contest
  const { homeContent } = settings
  return {
    ...contest,
    challenges: challenges.map((each) => ({ ...each, description: change(each.description) })),
    tables: withContents(tables, change),
    settings: { ...settings, ...(homeContent !== undefined && { homeContent: change(homeContent) }) },
  }
}

/** Notes pictures of other sites, which readers would not see, by challenge and host. Returns their addresses. */
export function findPictures(contest: Texts, sources: readonly string[], report: Report): string[] {
  const byPlace = new Map<string, Set<string>>()
  for (const { where, text } of textsIn(contest)) {
    const found = picturesElsewhere(text, sources)
    if (found.length > 0) byPlace.set(where, new Set([...(byPlace.get(where) ?? []), ...found]))
  }
  for (const [where, addresses] of byPlace)
    for (const { host, count } of countHosts([...addresses]))
      report.note(
        'pictures',
        'Texts have pictures of other sites, which readers see as links.',
        `${where}: ${host} (${count})`,
      )
  return [...byPlace.values()].flatMap((addresses) => [...addresses])
}

interface Storing {
  readonly addresses: readonly string[]
  readonly staging: Staging
  readonly report: Report
  readonly signal?: AbortSignal | undefined
}

/** Fetches pictures, and makes them files of the contest. What cannot be fetched is a note. */
export async function withPictureFiles(
  contest: ImportedContest,
  { addresses, staging, report, signal }: Storing,
): Promise<ImportedContest> {
  const files: ImportedFile[] = [...contest.files]
  const { stored, left } = await fetchPictures(addresses, {
    ...(signal && { signal }),
    async store({ name, content }, link) {
      const { path, sha256 } = await staging.receive(Readable.from([content]))
      const open = () => Promise.resolve(createReadStream(path))
      return markerOf(files.push({ link, name, key: { kind: 'file' }, sha256, open }) - 1)
    },
  })
  for (const { address, reason } of left)
    report.note(
      'pictures-left',
      'Pictures of other sites were not stored, and stay where they are.',
      `${address} ${leftTexts[reason]}`,
    )
  const change = (text: string) => replacePictures(text, (address) => stored.get(address) ?? address)
  return { ...withTexts(contest, change), files }
}

/** Reports texts of challenges that are too long with the addresses of stored files. */
export function reportLongTexts(
  { challenges, tables }: Pick<Texts, 'challenges' | 'tables'>,
  report: Report,
): void {
  const check = (place: string, text: string, max: number) => {
    const reason = tooLongReason(text, max)
    if (reason !== null) report.problem('long-texts', 'Texts are too long.', `${place}: ${reason}`)
  }
  for (const { name, description } of challenges)
    check(`${name}, description`, description, challengeLimits.description)
  for (const { where, limit, text } of tables.flatMap(contentsOf))
    if (limit) check(`${where}, ${limit.part}`, text, limit.max)
}
