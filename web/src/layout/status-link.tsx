import { Link, useLocation } from 'react-router'
import { paths } from '../paths.ts'
import { frameMessages } from '../text/en/frame.ts'
import { useMessages } from '../text/messages.ts'

export function StatusLink() {
  return <Link to={paths.status()}>{useMessages(frameMessages).status}</Link>
}

/** After an error. On the status page it would lead to where the reader is. */
export function StatusNote() {
  return useLocation().pathname === paths.status() ? null : <StatusLink />
}
