import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import { PageWaiting } from '../../layout/states/page-waiting.tsx'
import { paths } from '../../paths.ts'

const PublicStatistics = lazy(async () => ({
  default: (await import('./public-statistics.tsx')).PublicStatistics,
}))
const OrganiserStatistics = lazy(async () => ({
  default: (await import('./organiser-statistics.tsx')).OrganiserStatistics,
}))

/** One small module for both addresses, because each file that a page needs at once is named in the first load. */
export function Component() {
  const { pathname } = useLocation()
  return (
    <Suspense fallback={<PageWaiting />}>
      {pathname === paths.adminStatistics() ? <OrganiserStatistics /> : <PublicStatistics />}
    </Suspense>
  )
}
