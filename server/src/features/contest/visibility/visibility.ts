import { maySee, type VisiblePart, type VisibilitySettings } from '@pennant/contract/visibility.ts'
import { LRUCache } from 'lru-cache'
import type { AskedTracks, WorldView } from '../../../world/model.ts'
import { effectiveVisibility, extentOf, withTracks, type Extent, type Viewer } from './rules.ts'
import { seenIn } from './seen.ts'

/** What a caller may see, and what it includes. */
export interface Seen {
  /** As participants see it, without what is not open to the caller. */
  readonly world: WorldView
  readonly extent: Extent
}

/** Answers for every read path who sees what. Settings apply at once. */
export interface Visibility {
  settings(): VisibilitySettings
  maySee(part: VisiblePart, viewer: Viewer): boolean
  /** `tracks`: narrowed to these. */
  seenBy(viewer: Viewer, tracks?: AskedTracks | null): Seen
}

export function createVisibility(shown: () => WorldView, defaults: VisibilitySettings): Visibility {
  const settings = () => effectiveVisibility(defaults, shown().settings)
  return {
    settings,
    maySee: (part, viewer) => maySee(part, viewer?.perms ?? null, settings()),
    seenBy(viewer, tracks = null) {
      const world = shown()
      const extent = withTracks(extentOf(settings(), viewer, world), tracks)
      return { world: seenIn(world, extent), extent }
    },
  }
}

/** Whether a page may show the part to search engines, chats and others that never sign in. */
export function isOpenToEveryone({ maySee: may }: Visibility, part: VisiblePart): boolean {
  return may(part, null)
}

/** Divisions and sets of tracks with caches of their own at a time, besides those of callers who see all. */
const MAX_EXTENTS = 16

/** One cache for callers who see all, and others for those who do not, so that none evicts or gets what belongs to others. */
export function perExtent<T>(create: (key: string) => T): (extent: Extent) => T {
  const whole = create('')
  const others = new LRUCache<string, T & object>({ max: MAX_EXTENTS })
  return ({ key }) => {
    if (key === '') return whole
    const known = others.get(key)
    if (known !== undefined) return known
    const made = create(key) as T & object
    others.set(key, made)
    return made
  }
}
