import { Link } from 'react-router'
import { useMessageThreads } from '../../../api/messages.ts'
import { paths } from '../../../paths.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useMessages } from '../../../text/messages.ts'

/** Leads to a question about the challenge, while teams may ask. */
export function AskLink({ id }: { readonly id: string }) {
  const text = useMessages(challengesMessages)
  const mayAsk = useMessageThreads().data?.state === 'open'
  return mayAsk && <Link to={paths.askAbout(id)}>{text.askAbout}</Link>
}
