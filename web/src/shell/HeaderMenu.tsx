import { useTimeout } from '@mantine/hooks';
import { cloneElement, useState, type ButtonHTMLAttributes, type ReactElement } from 'react';
import { loadOnline } from '../lib/lazyPart.ts';
import { preloadMs } from '../lib/preload.ts';

const loadMenus = () => loadOnline(() => import('./headerMenus.tsx'));
type Menus = Awaited<ReturnType<typeof loadMenus>>;

interface HeaderMenuProps {
  readonly menu: keyof Menus;
  /** Opens the menu. */
  readonly button: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
}

/** A menu at the head of the page. What shows its entries is not part of the first load. */
export const HeaderMenu = ({ menu, button }: HeaderMenuProps) => {
  const [menus, setMenus] = useState<Menus>();
  useTimeout(() => void loadMenus(), preloadMs, { autoInvoke: true });
  if (!menus)
    return cloneElement(button, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onPointerEnter: () => void loadMenus(),
      onClick: () => void loadMenus().then(setMenus),
    });
  const Menu = menus[menu];
  // It takes the place of the button that was pressed, and its focus.
  return <Menu button={cloneElement(button, { autoFocus: true })} />;
};
