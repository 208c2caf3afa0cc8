import { FrozenNotice } from '../../layout/states/frozen-notice.tsx'
import { freezeMessages } from '../../text/en/freeze.ts'
import { useMessages } from '../../text/messages.ts'

/** The notice about the freeze above a team; the own team's says which points are missing. */
export function FrozenNote({ isOwn }: { readonly isOwn: boolean }) {
  const text = useMessages(freezeMessages)
  return <FrozenNotice>{isOwn && <span>{text.own}</span>}</FrozenNotice>
}
