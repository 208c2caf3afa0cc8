import { lazy, Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { NavLink } from 'react-router'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { useAnnouncements } from '../../api/announcements.ts'
import type { LatestSolves } from '../../api/new-solves.ts'
import { useMessageThreads } from '../../api/messages.ts'
import { paths } from '../../paths.ts'
import { useReadAnnouncements } from '../../state/read-announcements.ts'
import { announcementsMessages, type AnnouncementsMessages } from '../../text/en/announcements.ts'
import { useMessages } from '../../text/messages.ts'
import { useBloodToasts } from '../blood-overlay/use-blood-toasts.tsx'
import styles from './announcement-list.module.css'
import { useNewAnnouncements } from './use-new-announcements.ts'
import { useNewAnswers } from './use-new-answers.ts'
import { useWaitingMessages } from './use-waiting-messages.ts'

const BloodOverlay = lazy(async () => ({
  default: (await import('../blood-overlay/blood-overlay.tsx')).BloodOverlay,
}))

/** More would not fit in the badge. */
const MAX_SHOWN = 9
const OVERLAY_MS = 6 * SECOND_MS

/** Link to what is unread: messages of the organisers or announcements. Reports new ones, and first bloods of other teams. */
export function AnnouncementsLink() {
  const text = useMessages(announcementsMessages)
  const list = useAnnouncements().data
  const read = useReadAnnouncements()
  useNewAnnouncements(list)
  const blood = useBloodOverlay()
  const threads = useMessageThreads().data
  useNewAnswers(threads?.threads)
  useWaitingMessages()
  const messages = threads?.unread ?? 0
  const announced = list?.filter(({ id }) => !read.has(id)).length ?? 0
  const unread = announced + messages
  const label = labelOf(text, announced, messages)
  const link = (
    <NavLink
      // What is only for the team comes first.
      to={messages > 0 ? paths.messages() : paths.announcements()}
      className={styles.bell ?? ''}
      aria-label={label}
      title={label}
    >
      <svg aria-hidden="true" width={18} height={18} viewBox="0 0 16 16" fill="none">
        <path
          d="M3.500 11.500c1-1 1-2.500 1-4.500a3.500 3.500 0 0 1 7 0c0 2 0 3.500 1 4.500ZM6.500 13.500h3"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {unread > 0 && (
        // The sum is not part of the name, so it must not be a text of the link.
        <span className={styles.count} data-count={unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread} />
      )}
    </NavLink>
  )
  return (
    <>
      {link}
      {blood &&
        createPortal(
          <Suspense>
            <BloodOverlay blood={blood} />
          </Suspense>,
          document.body,
        )}
    </>
  )
}

/** The first blood that is shown large for some seconds, where the viewer prefers that to a toast. */
function useBloodOverlay(): LatestSolves[number] | null {
  const [blood, setBlood] = useState<LatestSolves[number] | null>(null)
  useBloodToasts(setBlood)
  useEffect(() => {
    if (!blood) return
    const timer = setTimeout(() => setBlood(null), OVERLAY_MS)
    return () => clearTimeout(timer)
  }, [blood])
  return blood
}

function labelOf(text: AnnouncementsMessages, announced: number, messages: number): string {
  if (messages > 0) return text.bellMessages(messages, announced)
  return announced > 0 ? text.bellUnread(announced) : text.title
}
