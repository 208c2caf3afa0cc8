import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { useText } from '../text/catalogue.ts'
import { frameCatalogue } from '../text/frame.ts'

/** What can still be read in an archive, where a page would ask for a team. */
export function ArchiveLinks() {
  const text = useText(frameCatalogue)
  return (
    <>
      <Link to={paths.scores()}>{text.scoreboard}</Link>
      <Link to={paths.challenges()}>{text.challenges}</Link>
    </>
  )
}
