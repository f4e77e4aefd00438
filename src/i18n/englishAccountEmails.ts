/** What users read in e-mails about their accounts. */
export const englishAccountEmails = {
  /** The subjects of e-mails to users about their accounts, and of the test of the mail server. */
  accountSubject: {
    'password-reset': 'Choose a new password',
    'no-password': 'How to sign in',
    invitation: 'Your access to {title}',
    'role-changed': 'Your permissions were changed',
    'sites-changed': 'Your permissions were changed',
    disabled: 'Your account was disabled',
    enabled: 'Your account was enabled',
    'password-changed': 'Your password was changed',
    'email-changed': 'Your e-mail address was changed',
    'second-factor-added': 'Your second factor was changed',
    'second-factor-removed': 'Your second factor was changed',
    'new-browser': 'Sign-in from a new device',
    test: 'Test e-mail from voucherd',
  },
  /** What they say. A blank line ends a paragraph; the link, where there is one, follows the first. */
  accountText: {
    'password-reset':
      'A new password was requested for your account. Choose it with this link, which is valid for one hour and can be used once.\n\nIf that was not you, there is nothing to do: your password stays as it is.',
    'no-password':
      'A new password was requested for your account. It has none: you sign in at your identity provider (single sign-on). Open the sign-in page and use the button below the form.\n\nSign-in page: {url}',
    invitation:
      '{invitedBy} has created an account for you. Choose your password with this link, which is valid for three days and can be used once.\n\nAfter that, sign in here: {url}',
    'role-changed': 'Your role is now: {role} ({time}). Please sign in again.',
    'sites-changed': 'The sites that you see were changed ({time}).',
    disabled: 'Your account was disabled ({time}). You can no longer sign in.',
    enabled: 'Your account was enabled ({time}). You can sign in again: {url}',
    'password-changed': 'The password of your account was changed ({time}).\n\n{notYou}',
    'email-changed':
      'Your account has another e-mail address now ({time}). Nothing more is sent to this one.\n\n{notYou}',
    'second-factor-added': 'A second factor was set up for your account ({time}).\n\n{notYou}',
    'second-factor-removed': 'The second factor of your account was removed ({time}).\n\n{notYou}',
    'new-browser':
      'Somebody has signed in to your account with a browser that was not known here ({time}).\n\nAddress: {address}\nBrowser: {browser}\n\nIf that was you, there is nothing to do. Otherwise please change your password at once: {url}/account',
    test: 'Sending e-mails works. You can delete this one.',
  },
  /** What the link says. */
  accountAction: {
    'password-reset': 'Choose a new password',
    invitation: 'Choose a password',
  },
  /** Parts of them. */
  accountWord: {
    greeting: 'Hello {name},',
    'not-you': 'If that was not you, please tell an administrator at once.',
    'unknown-browser': 'unknown',
  },
  /** The roles of users. */
  role: {
    admin: 'administrator',
    staff: 'staff',
    viewer: 'viewer',
  },
} as const;
