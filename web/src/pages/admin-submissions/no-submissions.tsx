import { Link } from 'react-router'
import { EmptyList } from '../../organisers/empty-list.tsx'
import { paths } from '../../paths.ts'
import { adminSubmissionsMessages } from '../../text/en/admin-submissions.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'

export function NoSubmissions() {
  const text = useMessages(adminSubmissionsMessages)
  const { organiser } = useMessages(frameMessages)
  return (
    <EmptyList action={<Link to={paths.adminChallenges()}>{organiser.challenges}</Link>}>
      {text.none}
    </EmptyList>
  )
}
