import { useIsFetching } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation } from 'react-router'
import { useText } from '../text/catalogue.ts'
import { frameCatalogue } from '../text/frame.ts'
import { Strip } from '../ui/states/strip.tsx'
import { useRested } from '../ui/use-rested.ts'
import { BottomBar } from './bottom-bar.tsx'
import { useFavicon } from './favicon.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { FrameLayers } from './keys/frame-layers.tsx'
import styles from './layout.module.css'
import { PageWaiting } from './page-waiting.tsx'
import { useNotices } from './use-notices.tsx'

/** A wait shorter than this is not worth a sign. */
const LINE_AFTER_MS = 800

/** The frame around every page. */
export function Shell() {
  const text = useText(frameCatalogue)
  const main = useRef<HTMLElement>(null)
  const announced = usePageFocus(main)
  useFavicon()
  const isProse = useMatches().some(({ handle }) =>
    Boolean((handle as { prose?: boolean } | undefined)?.prose),
  )
  return (
    <>
      <a href="#main" className={styles.skip}>
        {text.skip}
      </a>
      <Header />
      <WorkLine />
      <Strip notices={useNotices()} />
      <main id="main" ref={main} tabIndex={-1} className="pn-main">
        <Suspense fallback={<PageWaiting />}>
          <Outlet />
        </Suspense>
      </main>
      {isProse && <Footer />}
      <BottomBar />
      <div className="pn-hidden" aria-live="polite">
        {announced}
      </div>
      <FrameLayers />
      <ScrollRestoration />
    </>
  )
}

/**
 * A new page takes the focus and is told by its title; another view of the same page is not. Where a page stays and its
 * part is another, the part takes it: what is new is not at the end of a long list.
 */
function usePageFocus(main: React.RefObject<HTMLElement | null>): string {
  const { pathname, state } = useLocation()
  const page = pathname.split('/', 3).join('/')
  const keepsFocus = (state as { keepsFocus?: boolean } | null)?.keepsFocus === true
  const last = useRef(page)
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    if (last.current === page) return
    const isSamePage = page.split('/')[1] === last.current.split('/')[1]
    last.current = page
    const part = isSamePage ? main.current?.querySelector<HTMLElement>('[data-part]') : null
    if (!keepsFocus) (part ?? main.current)?.focus({ preventScroll: true })
    // The page sets its title in its own effect, after this one.
    const frame = requestAnimationFrame(() => setAnnounced(document.title))
    return () => cancelAnimationFrame(frame)
    // Where the keys went is part of how the page was reached, not another page.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [page, main])
  return announced
}

/** Two pixels under the header while something takes its time. */
function WorkLine() {
  const isNavigating = useNavigation().state !== 'idle'
  const isFetching = useIsFetching() > 0
  const isWorking = isNavigating || isFetching
  const isShown = useRested(isWorking, isWorking ? LINE_AFTER_MS : 0, false)
  return <div className={styles.workLine} data-shown={isShown || undefined} />
}
