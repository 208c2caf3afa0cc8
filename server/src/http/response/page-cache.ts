import { addressKey } from '../request/client-address.ts'
import type { Limiter } from '../request/limiter.ts'
import { preparedCache, type CacheBounds, type StateName } from './prepared-cache.ts'
import type { Prepared } from './prepared.ts'

export interface PageRequest {
  readonly limit: number
  readonly offset: number
  /** Whether the page is filtered, which requires a scan of all rows. */
  readonly isFiltered?: boolean
  /** The client's address. */
  readonly ip: string
}

/** Rendered pages of lists with a limit and offset chosen by the client. */
export interface PageCache {
  /**
   * Returns the page of this state, or a refusal if the client caused too many pages to be rendered. A page that is cached
   * is returned without a promise.
   */
  get(
    place: { readonly state: StateName; readonly key: string },
    request: PageRequest,
    render: () => Prepared,
  ): Page | Promise<Page>
}

type Page = Prepared | NonNullable<Awaited<ReturnType<Limiter['take']>>>

/** Page sizes that the site and common tools request. */
const FIRST_PAGE_SIZES: ReadonlySet<number> = new Set([10, 25, 50, 100])

/**
 * First pages are what nearly everyone reads. They have a separate cache and no rate limit, so requests for arbitrary
 * offsets cannot evict them; there are only a few per state. Single rows are cheap and have no rate limit either, so they
 * have a separate cache too: a scan over them must not evict pages that cost a token. Any other page costs a token when
 * it has to be rendered.
 */
export function pageCache(bounds: CacheBounds, limiter: Limiter): PageCache {
  const cacheOf = (part: string, share: number) =>
    preparedCache({
      ...bounds,
      name: `${bounds.name} ${part}`,
      max: Math.ceil(bounds.max * share),
      maxSize: Math.ceil(bounds.maxSize * share),
    })
  const [first, other, rows] = [cacheOf('first', 1 / 2), cacheOf('other', 3 / 8), cacheOf('rows', 1 / 8)]

  return {
    get({ state, key }, { limit, offset, isFiltered = false, ip }, render) {
      if (!isFiltered && offset === 0 && FIRST_PAGE_SIZES.has(limit)) return first.get(state, key, render)
      const isSingleRow = !isFiltered && limit === 1
      if (isSingleRow) return rows.get(state, key, render)
      return (
        other.find(state, key) ??
        limiter
          .take('pageRenders', addressKey(ip))
          .then((refused) => refused ?? other.get(state, key, render))
      )
    },
  }
}
