import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import type { TeamThread } from '../../api/messages.ts'
import { paths } from '../../paths.ts'
import { usePreferences } from '../../state/preferences.ts'
import { play } from '../../state/sounds.ts'
import { announcementsMessages } from '../../text/en/announcements.ts'
import { useMessages } from '../../text/messages.ts'
import { useToasts } from '../../ui/layers/toasts.tsx'
import { notify } from './notify.ts'

/** Shows answers of the organisers that arrive while the page is open, in the same ways as announcements. */
export function useNewAnswers(threads: readonly TeamThread[] | undefined): void {
  const text = useMessages(announcementsMessages)
  const toasts = useToasts()
  const { sound, notifications } = usePreferences()
  const { pathname } = useLocation()
  const known = useRef<ReadonlyMap<string, number>>(undefined)
  useEffect(() => {
    const before = known.current
    // Signed out: the threads of the next team are not new.
    known.current = threads && new Map(threads.map(({ id, unread }) => [id, unread]))
    if (!threads || !before) return
    const answered = threads.filter(({ id, unread }) => unread > (before.get(id) ?? 0))
    for (const { id, subject, lastMessageAt } of answered) {
      if (pathname !== paths.message(id)) toasts.show(subject, 'info', { title: text.newAnswer })
      if (notifications === true && document.hidden)
        notify(text.newAnswer, { body: subject, tag: `${id} ${lastMessageAt}` })
    }
    if (answered.length > 0 && sound === true && !document.hidden) play('announcement')
    // Once per change of the list.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [threads])
}
