import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import type { Announcement, Announcements } from '../../api/merge-announcements.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { usePreferences } from '../../state/preferences.ts'
import { play } from '../../state/sounds.ts'
import { announcementsMessages } from '../../text/en/announcements.ts'
import { useMessages } from '../../text/messages.ts'
import { useToasts } from '../../ui/layers/toasts.tsx'
import { notify } from './notify.ts'

/** Shows announcements that arrive while the page is open as toasts, and as sound and notification if switched on. */
export function useNewAnnouncements(list: Announcements | undefined): void {
  const text = useMessages(announcementsMessages)
  const toasts = useToasts()
  const { isSignedIn } = useOwnTeam()
  const { sound, notifications } = usePreferences()
  const isOnPage = useLocation().pathname === paths.announcements()
  const known = useRef<{ readonly of: boolean; readonly ids: ReadonlySet<string> }>(undefined)
  useEffect(() => {
    if (!list) return
    const before = known.current
    const ids = new Set([...list.map(({ id }) => id), ...(before?.ids ?? [])])
    known.current = { of: isSignedIn, ids }
    // After signing in, the list has older ones for the team.
    if (!before || before.of !== isSignedIn) return
    const added = list.filter(({ id }) => !before.ids.has(id))
    for (const each of added) {
      const heading = text.newOne[each.severity]
      if (!isOnPage) toasts.show(each.title, toneOf(each), { title: heading })
      if (notifications === true && document.hidden) notify(heading, { body: each.title, tag: each.id })
    }
    if (added.length > 0 && sound === true && !document.hidden) play('announcement')
    // Once per change of the list.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [list, isSignedIn])
}

function toneOf({ severity }: Announcement) {
  return severity === 'info' ? 'info' : 'bad'
}
