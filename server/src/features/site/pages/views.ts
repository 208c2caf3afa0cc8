import type { AdminPage, Page, PageAcceptance, PageVersion } from '@pennant/contract/pages.ts'
import type { z } from 'zod'
import type { TeamRow, WorldView } from '../../../world/model.ts'
import { acceptanceOf, type PageRow, type PageText } from './rows.ts'
import type { StoredVersion } from './store.ts'

export function pageView(
  { slug, texts, version, editedAt }: PageRow,
  { language, title, content }: PageText,
): z.input<typeof Page> {
  const languages = texts.map((each) => each.language)
  return { slug, title, content, language, languages, version, editedAt }
}

export function adminPageView(row: PageRow): z.input<typeof AdminPage> {
  const { texts } = row
  return {
    ...headView(row),
    texts: texts.map(({ language, title, content }) => ({ language, title, content })),
  }
}

export function headView({
  id,
  slug,
  place,
  published,
  mustAccept,
  acceptVersion,
  version,
  createdAt,
  editedAt,
}: PageRow) {
  return { id, slug, place, published, mustAccept, acceptVersion, version, createdAt, editedAt }
}

export function versionView(
  { version, savedAt, savedBy }: StoredVersion,
  world: WorldView,
): z.input<typeof PageVersion> {
  const savedByName = savedBy === null ? null : (world.team(savedBy)?.name ?? null)
  return { version, savedAt, savedBy, savedByName }
}

export function acceptanceView(
  { id, name }: TeamRow,
  { world, page }: { readonly world: WorldView; readonly page: PageRow },
): z.input<typeof PageAcceptance> {
  const row = acceptanceOf(world, id, page)
  return {
    teamId: id,
    teamName: name,
    version: row?.version ?? null,
    acceptedAt: row?.acceptedAt ?? null,
    personId: row?.personId ?? null,
    counts: row !== undefined && page.acceptVersion !== null && row.version >= page.acceptVersion,
  }
}
