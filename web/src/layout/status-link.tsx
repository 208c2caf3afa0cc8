import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { frameMessages } from '../text/en/frame.ts'
import { useMessages } from '../text/messages.ts'

export function StatusLink() {
  return <Link to={paths.status()}>{useMessages(frameMessages).status}</Link>
}
