import type { VisiblePart } from '@pennant/contract/visibility.ts'
import { lazy, type ReactNode } from 'react'
import { useMatches } from 'react-router'
import { useMaySee } from '../../api/use-contest.ts'
import { PageWaiting } from './page-waiting.tsx'

const ClosedPart = lazy(async () => ({ default: (await import('./closed-part.tsx')).ClosedPart }))

/** The page, unless it is a part of the event that is not open to the viewer: docs/operate/closed-events.md */
export function OpenPart({ children }: { readonly children: ReactNode }) {
  const maySee = useMaySee()
  const match = useMatches().findLast(({ handle }) => partOf(handle))
  const part = partOf(match?.handle)
  // The own profile has no id.
  if (part === undefined || (part === 'profiles' && match?.params['id'] === undefined)) return children
  const isOpen = maySee(part)
  if (isOpen === null) return <PageWaiting />
  return isOpen ? children : <ClosedPart part={part} />
}

function partOf(handle: unknown): VisiblePart | undefined {
  return (handle as { part?: VisiblePart } | undefined)?.part
}
