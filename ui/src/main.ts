import { mount } from 'svelte';
import App from './App.svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/inputs.css';
import './styles/floating.css';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no place for the program');
mount(App, { target });
