import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn';

// Date pickers take the names of months and weekdays from here.
dayjs.locale('zh-cn');
