import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'

/** Links to the pages of an archive, shown where a page would require a team. */
export function ArchiveLinks() {
  const text = useMessages(frameMessages)
  return (
    <>
      <Link to={paths.scores()}>{text.scoreboard}</Link>
      <Link to={paths.challenges()}>{text.challenges}</Link>
    </>
  )
}
