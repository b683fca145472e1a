import { Link, useAccess, useNavigate } from '@umijs/max';
import { AutoComplete, Button, Input, Result } from 'antd';
import { useState } from 'react';
import { screensFound } from './screensFound';

/** No such address: search the screens that this account may open. */
export function NotFound() {
  const access = useAccess();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const found = screensFound(text, access);
  const options = found.map(({ path, name }) => ({ value: path, label: `${name}  ${path}` }));
  const home = access.signedIn ? '/' : '/indicator/hedge';
  return (
    <Result
      status="404"
      title="没有这个页面"
      subTitle="地址可能有误，或页面已被移走。可以搜索要去的页面。"
      extra={
        <div className="screen-search">
          <AutoComplete
            options={options}
            value={text}
            onChange={setText}
            onSelect={(path: string) => navigate(path)}
            notFoundContent="没有找到页面"
          >
            <Input.Search
              aria-label="搜索页面"
              placeholder="搜索页面，如 选币、回测"
              onSearch={() => found[0] && navigate(found[0].path)}
            />
          </AutoComplete>
          <Link to={home}>
            <Button type="primary">{access.signedIn ? '返回账户总览' : '访客体验：中性选币'}</Button>
          </Link>
        </div>
      }
    />
  );
}
