import { useIsFetching } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation } from 'react-router'
import { frameMessages } from '../text/en/frame.ts'
import { useMessages } from '../text/messages.ts'
import { Strip } from '../ui/states/strip.tsx'
import { useConfig } from '../api/use-contest.ts'
import { BottomBar } from './header/bottom-bar.tsx'
import { useFavicon } from './favicon.ts'
import { Header } from './header/header.tsx'
import { FrameLayers } from './keys/frame-layers.tsx'
import styles from './layout.module.css'
import { PageLinks } from './page-links.tsx'
import { OpenPart } from './states/open-part.tsx'
import { PageWaiting } from './states/page-waiting.tsx'
import { StatusLink } from './status-link.tsx'
import { useNotices } from './use-notices.tsx'
import { Mark } from './logo.tsx'

/** Shorter waits show no progress line. */
const LINE_AFTER_MS = 800

/** The frame around every page. */
export function Shell() {
  const text = useMessages(frameMessages)
  const main = useRef<HTMLElement>(null)
  const announced = usePageFocus(main)
  useFavicon()
  const isProse = useMatches().some(({ handle }) => (handle as { prose?: boolean } | undefined)?.prose)
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
          <OpenPart>
            <Outlet />
          </OpenPart>
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
 * Moves the focus to a new page and announces its title; another view of the same page does neither. If only
 * a part of the page changes, that part gets the focus, so that it is reachable without passing a long list.
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
    const part = isSamePage && main.current?.querySelector<HTMLElement>('[data-part]')
    // A form that has just been opened focuses its first field itself.
    const isFocused = !isSamePage && main.current?.querySelector(':is(input, textarea):focus')
    if (!keepsFocus && !isFocused) (part || main.current)?.focus({ preventScroll: true })
    // The page sets its title in its own effect, which runs after this one.
    const frame = requestAnimationFrame(() => setAnnounced(document.title))
    return () => cancelAnimationFrame(frame)
    // `keepsFocus` belongs to the navigation; a change of it alone is not a new page.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [page, main])
  return announced
}

/** Progress line of two pixels under the header during slow loads. */
function WorkLine() {
  const isNavigating = useNavigation().state !== 'idle'
  const isFetching = useIsFetching() > 0
  const isWorking = isNavigating || isFetching
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(isWorking), isWorking ? LINE_AFTER_MS : 0)
    return () => clearTimeout(timer)
  }, [isWorking])
  return <div className={styles.workLine} data-shown={isShown || undefined} />
}

function Footer() {
  const text = useMessages(frameMessages)
  const config = useConfig()
  return (
    <footer className={styles.footer}>
      <span>{config?.ctfName}</span>
      <PageLinks />
      {!config?.isArchived && <StatusLink />}
      <span className="pn-inline pn-gap-2">
        <Mark size={20} />
        {text.poweredBy}
      </span>
    </footer>
  )
}
