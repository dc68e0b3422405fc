// The widgets of jQuery UI take jQuery from the window.
import $ from 'jquery';

window.jQuery = $;
