import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { CalendarEvent } from './calendar.ts'

interface CalendarButtonProps {
  readonly config: CalendarEvent & { readonly scheduled?: false | undefined }
}

/** Saves the event as a calendar file, which is made in the browser. Nothing while no start is set. */
export function CalendarButton({ config }: CalendarButtonProps) {
  const text = useMessages(frameMessages)
  if (config.scheduled === false) return null
  // Rarely used, so its code is loaded on the click; a failure is reported like any other.
  const save = () =>
    void import('./calendar.ts').then(({ saveCalendar }) => saveCalendar(config), reportError)
  return (
    <Button tone="quiet" icon="calendar" onClick={save}>
      {text.addToCalendar}
    </Button>
  )
}
