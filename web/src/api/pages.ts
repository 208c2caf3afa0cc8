import { acceptPages, listOwnAcceptances, readPage } from '@pennant/contract/pages.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { refresh } from '../state/live.ts'
import { useLanguage } from '../state/preferences.ts'
import { requestData, send } from './client.ts'
import { OWN_KEY } from './queries.ts'
import { useConfig, useOwnTeam } from './use-contest.ts'

export type PageLink = NonNullable<NonNullable<ReturnType<typeof useConfig>>['pages']>[number]

const NO_PAGES: readonly PageLink[] = []

/** The published pages, in their order. */
export function usePageLinks(): readonly PageLink[] {
  return useConfig()?.pages ?? NO_PAGES
}

/** Each page with its title in the language of the site. */
export function useNamedPages() {
  const language = useLanguage()
  return usePageLinks().map((page) => ({ ...page, title: titleOf(page, language) }))
}

/** Pages that teams must accept. */
export function useRequiredPages() {
  return useNamedPages().filter(({ acceptVersion }) => acceptVersion !== undefined)
}

export function titleOf({ titles, slug }: Pick<PageLink, 'titles' | 'slug'>, language: string): string {
  const found = titles.find((each) => each.language.split('-', 1)[0]?.toLowerCase() === language)
  return (found ?? titles[0])?.title ?? slug
}

interface Wanted {
  readonly slug: string
  readonly language: string
  /** Of the link: a new version is another query. */
  readonly version: number
}

export function pageQuery({ slug, language, version }: Wanted) {
  return queryOptions({
    queryKey: ['pages', slug, language, version],
    queryFn: ({ signal }) => requestData(readPage, { params: { slug }, query: { language } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
}

const acceptancesQuery = queryOptions({
  queryKey: [OWN_KEY, 'page-acceptances'],
  queryFn: async ({ signal }) => (await requestData(listOwnAcceptances, {}, { signal })).pages,
  ...refresh(MINUTE_MS),
})

/** The pages that the own team must accept before it plays. */
export function usePagesToAccept() {
  const { isSignedIn, team } = useOwnTeam()
  const required = useRequiredPages()
  const isAsked = isSignedIn && team?.perms === 0 && required.length > 0
  const { data } = useQuery({ ...acceptancesQuery, enabled: isAsked })
  if (!isAsked || !data) return []
  const accepted = new Map(data.map((page) => [page.slug, page.accepted?.version ?? 0]))
  return required.filter(({ slug, acceptVersion = 0 }) => (accepted.get(slug) ?? 0) < acceptVersion)
}

/** Returns what accepts pages for the own team. */
export function useAcceptPages() {
  const queries = useQueryClient()
  return async (pages: readonly Pick<PageLink, 'slug' | 'version'>[]) => {
    const body = { pages: pages.map(({ slug, version }) => ({ slug, version })) }
    const response = await send(acceptPages, { body })
    await queries.invalidateQueries({ queryKey: acceptancesQuery.queryKey })
    return response
  }
}
