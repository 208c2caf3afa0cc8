import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icon.tsx'
import { useUiMessages } from '../ui-messages.ts'
import styles from './buttons.module.css'
import type { Success } from './use-success.ts'

interface ButtonAppearance {
  readonly tone?: 'plain' | 'primary' | 'danger' | 'quiet'
  /** The action is pending: the button keeps its width and ignores clicks. */
  readonly busy?: boolean
  /** Why the button is disabled. It stays focusable, so that the reason can be read. */
  readonly disabledBecause?: string | undefined
  /** From `useSuccess`: the button has room for the word, so that it keeps its width. */
  readonly success?: Success
}

export interface ButtonProps extends ButtonAppearance, Omit<ComponentPropsWithRef<'button'>, 'disabled'> {
  readonly icon?: IconName
}

/** The look of a button, for links that lead on. `large`: on the first sight of a page; `icon`: only an icon. */
export function buttonClass(tone: 'plain' | 'primary' | 'quiet', size?: 'large' | 'icon'): string {
  return cx(styles.button, styles[tone], size && styles[size])
}

/** A button of type `button`, unless `type` is given. */
export function Button({
  tone = 'plain',
  busy = false,
  disabledBecause,
  icon,
  success,
  ...props
}: ButtonProps) {
  const messages = useUiMessages()
  const { children, className, onClick, type = 'button', ...rest } = props
  const still = busy || disabledBecause !== undefined
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (still) return event.preventDefault()
    onClick?.(event)
  }
  const isConfirmed = !busy && success?.isShown
  return (
    <button
      {...rest}
      type={type}
      className={cx(
        styles.button,
        styles[tone],
        busy && styles.busy,
        success && styles.confirms,
        isConfirmed && styles.confirmed,
        className,
      )}
      aria-disabled={still || undefined}
      aria-busy={busy || undefined}
      title={disabledBecause ?? rest.title}
      onClick={handleClick}
    >
      <span className={styles.face}>
        {icon && <Icon name={icon} />}
        {children}
      </span>
      {success && (
        <span className={styles.success} data-word={success.word}>
          {isConfirmed && (
            <>
              <Icon name="check" />
              <span>{success.word}</span>
            </>
          )}
        </span>
      )}
      {busy && (
        <span className={styles.work} role="img" aria-label={messages.loading}>
          •••
        </span>
      )}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'children'> {
  readonly icon: IconName
  /** Accessible name, also shown on hover. */
  readonly label: string
  readonly children?: ReactNode
}

/** A button with only an icon. */
export function IconButton({ icon, label, className, tone = 'quiet', ...props }: IconButtonProps) {
  return (
    <Button
      {...props}
      tone={tone}
      icon={icon}
      aria-label={label}
      title={label}
      className={cx(styles.icon, className)}
    />
  )
}
