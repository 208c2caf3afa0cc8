import { listOwnAcceptances } from '@pennant/contract/pages.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { refresh } from '../state/live.ts'
import { useLanguage } from '../state/preferences.ts'
import { requestData } from './client.ts'
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

export const acceptancesQuery = queryOptions({
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
